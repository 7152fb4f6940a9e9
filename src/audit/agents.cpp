#include "audit/agents.h"

#include <array>

namespace periplus {
namespace {

using enum AgentPurpose;

// As of kAgentsDate, from the vendors' own pages about their crawlers.
constexpr auto kAgents = std::to_array<Agent>({
    {"Googlebot", "Google", kSearch, "also feeds AI Overviews"},
    {"Bingbot", "Microsoft", kSearch, "also feeds Copilot"},
    {"OAI-SearchBot", "OpenAI", kSearch, ""},
    {"Claude-SearchBot", "Anthropic", kSearch, ""},
    {"PerplexityBot", "Perplexity", kSearch, ""},
    {"Applebot", "Apple", kSearch, ""},
    {"Amzn-SearchBot", "Amazon", kSearch, ""},
    {"MistralAI-Index", "Mistral", kSearch, ""},
    {"DuckAssistBot", "DuckDuckGo", kSearch, ""},
    {"YouBot", "You.com", kSearch, ""},
    {"Claude-User", "Anthropic", kUserHonours, ""},
    {"Amzn-User", "Amazon", kUserHonours, ""},
    {"MistralAI-User", "Mistral", kUserHonours, ""},
    {"ChatGPT-User", "OpenAI", kUserIgnores, ""},
    {"Perplexity-User", "Perplexity", kUserIgnores, ""},
    {"meta-externalfetcher", "Meta", kUserIgnores, ""},
    {"GPTBot", "OpenAI", kTraining, ""},
    {"ClaudeBot", "Anthropic", kTraining, ""},
    {"meta-externalagent", "Meta", kTraining, "also indexing"},
    {"Amazonbot", "Amazon", kTraining, ""},
    {"CCBot", "Common Crawl", kTraining, "an archive that others train on"},
    {"MistralAI-Training", "Mistral", kTraining, ""},
    {"Bytespider", "ByteDance", kTraining, "no vendor page was found"},
    {"AI2Bot", "Ai2", kTraining, ""},
    {"cohere-training-data-crawler", "Cohere", kTraining, ""},
    {"Diffbot", "Diffbot", kTraining, ""},
    {"Google-Extended", "Google", kTokenOnly, "training and grounding, not Search"},
    {"Applebot-Extended", "Apple", kTokenOnly, ""},
    {"facebookexternalhit", "Meta", kNotAi, "link previews"},
    {"OAI-AdsBot", "OpenAI", kNotAi, "checks of advertisements"},
    {"AdsBot-Google", "Google", kNotAi, "checks of advertisements; a group for * does not bind it"},
    {"anthropic-ai", "Anthropic", kRetired, "ClaudeBot is sent today"},
    {"Claude-Web", "Anthropic", kRetired, "ClaudeBot is sent today"},
    {"cohere-ai", "Cohere", kRetired, ""},
    {"FacebookBot", "Meta", kRetired, "meta-externalagent is sent today"},
});

}  // namespace

std::span<const Agent> known_agents() { return kAgents; }

std::string_view name(AgentPurpose purpose) {
  switch (purpose) {
    case kSearch:
      return "search";
    case kUserHonours:
      return "user fetch";
    case kUserIgnores:
      return "user fetch, may ignore robots.txt";
    case kTraining:
      return "training";
    case kTokenOnly:
      return "token only";
    case kNotAi:
      return "not AI";
    case kRetired:
      return "retired";
  }
  return "";
}

std::string_view sentence(AgentPurpose purpose) {
  switch (purpose) {
    case kSearch:
      return "Closed to it, the site leaves that product's results and answers.";
    case kUserHonours:
      return "Closed to it, a person's request for a page fails.";
    case kUserIgnores:
      return "It fetches for a person and may not ask robots.txt.";
    case kTraining:
      return "The owner's choice: it collects pages to train models.";
    case kTokenOnly:
      return "The owner's choice: a name that sends no requests of its own.";
    case kNotAi:
      return "Closed to it, previews or advertisements break.";
    case kRetired:
      return "No crawler sends this name any more.";
  }
  return "";
}

}  // namespace periplus
