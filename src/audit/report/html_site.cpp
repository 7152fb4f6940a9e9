// What belongs to the site as a whole: who may come, its files, its certificate; and how we
// behaved.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/report/html_parts.h"

namespace periplus {
namespace {

std::string_view title_of(AgentPurpose purpose) {
  switch (purpose) {
    case AgentPurpose::kSearch:
      return "Search and answers";
    case AgentPurpose::kUserHonours:
      return "Fetched for a person, obeying robots.txt";
    case AgentPurpose::kUserIgnores:
      return "Fetched for a person, may not obey robots.txt";
    case AgentPurpose::kTraining:
      return "Training";
    case AgentPurpose::kTokenOnly:
      return "Names that send no requests";
    case AgentPurpose::kNotAi:
      return "Previews and advertisement checks";
    case AgentPurpose::kRetired:
      return "No longer sent";
  }
  return {};
}

constexpr std::array kPurposes = {
    AgentPurpose::kSearch,   AgentPurpose::kUserHonours, AgentPurpose::kUserIgnores,
    AgentPurpose::kTraining, AgentPurpose::kTokenOnly,   AgentPurpose::kNotAi,
    AgentPurpose::kRetired,
};

void write_access(HtmlWriter& out, const Judgement& j, const AgentResult& agent) {
  const auto cell = out.in("td");
  if (!agent.known) {
    out.element("span", {{"class", "access unknown"}}, "? Not known");
    return;
  }
  if (agent.home_allowed)
    out.element("span", {{"class", "access open"}}, "✓ Allowed");
  else
    out.element("span", {{"class", "access shut"}}, "✕ Closed");
  if (agent.pages_closed > 0 && !read_nothing(j))
    out.element("span", {{"class", "note"}},
                fmt::format(" {} of {} closed", number(agent.pages_closed),
                            counted(j.pages.size(), "page", "pages")));
}

void write_agent(HtmlWriter& out, const Judgement& j, const AgentResult& agent) {
  const auto row = out.in("tr");
  {
    const auto cell = out.in("th", {{"scope", "row"}});
    out.text(agent.agent->token);
    if (!agent.agent->note.empty())
      out.element("span", {{"class", "note"}}, fmt::format(" {}", agent.agent->note));
  }
  out.element("td", agent.agent->vendor);
  write_access(out, j, agent);
  const auto cell = out.in("td");
  if (agent.line > 0) {
    out.text(fmt::format("line {} ", agent.line));
    const auto code = out.in("code");
    out.foreign(agent.rule);
  } else if (agent.known) {
    out.text("no line: open by default");
  }
  if (!agent.group.empty()) {
    const auto note = out.in("span", {{"class", "note"}});
    out.text(" group ");
    out.foreign(agent.group);
  }
}

// One row of a table of facts.
template <class Value>
void fact(HtmlWriter& out, std::string_view term, Value&& value) {
  const auto pair = out.in("div");
  out.element("dt", term);
  const auto cell = out.in("dd");
  value();
}
void fact_text(HtmlWriter& out, std::string_view term, std::string_view words) {
  if (words.empty()) return;
  fact(out, term, [&] { out.foreign(words); });
}

std::string answer_of(int status, const std::optional<Failure>& failure) {
  if (failure) return sentence_of(words_of(*failure));
  return status > 0 ? fmt::format("Status {}", status) : std::string("No answer");
}

void write_lines(HtmlWriter& out, const std::vector<std::string>& lines, bool addresses) {
  constexpr std::size_t kMost = 50;
  const auto list = out.in("ul", {{"class", "addresses"}});
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) {
    const auto item = out.in("li");
    if (addresses) {
      out.address(lines[i]);
    } else {
      const auto code = out.in("code");
      out.foreign(lines[i]);
    }
  }
  if (lines.size() > kMost)
    out.element("li", fmt::format("and {} more in the JSON report", number(lines.size() - kMost)));
}

void write_robots(HtmlWriter& out, const Judgement& j) {
  out.element("h3", "robots.txt");
  if (!j.robots) {
    out.element("p", "It was not read.");
    return;
  }
  const RobotsResult& robots = *j.robots;
  const auto facts = out.in("dl", {{"class", "facts"}});
  fact(out, "Address", [&] { out.address(robots.url); });
  fact_text(out, "Answer", answer_of(robots.status, robots.failure));
  if (robots.from_last_good)
    fact_text(out, "Judged by", "the last good copy, for it could not be read this time");
  fact(out, "Line that decides for us", [&] {
    if (robots.line == 0) return out.text("none: open by default");
    out.text(fmt::format("line {} ", robots.line));
    const auto code = out.in("code");
    out.foreign(robots.rule);
  });
  if (robots.crawl_delay)
    fact_text(out, "Crawl-delay asked of us", fmt::format("{:g} s", *robots.crawl_delay));
  if (!robots.sitemaps.empty())
    fact(out, "Sitemaps it names", [&] { write_lines(out, robots.sitemaps, true); });
  if (!robots.signals.empty())
    fact(out, "Signals about use", [&] { write_lines(out, robots.signals, false); });
}

void write_sitemaps(HtmlWriter& out, const Judgement& j) {
  out.element("h3", "Sitemaps");
  if (j.sitemaps.empty()) {
    out.element("p", "None was read.");
    return;
  }
  const auto scroll = out.in(
      "div",
      {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Sitemaps"}});
  const auto table = out.in("table");
  out.element("caption", "Sitemaps that were read");
  {
    const auto head = out.in("thead");
    const auto row = out.in("tr");
    for (const std::string_view words : {"Address", "Answer", "Kind"})
      out.element("th", {{"scope", "col"}}, words);
    out.element("th", {{"scope", "col"}, {"class", "num"}}, "Entries");
  }
  const auto body = out.in("tbody");
  for (const SitemapResult& sitemap : j.sitemaps) {
    const auto row = out.in("tr");
    {
      const auto cell = out.in("th", {{"scope", "row"}});
      out.address(sitemap.url);
      if (!sitemap.faults.empty()) write_lines(out, sitemap.faults, false);
    }
    out.element("td", answer_of(sitemap.status, sitemap.failure));
    out.element("td", sitemap.kind);
    out.element("td", {{"class", "num"}}, number(sitemap.entries));
  }
}

void write_tls(HtmlWriter& out, const Judgement& j) {
  out.element("h3", "Certificate of the start page");
  if (!j.tls || !j.tls->used) {
    out.element("p", "No TLS was used, or its certificate was not seen.");
    return;
  }
  const auto facts = out.in("dl", {{"class", "facts"}});
  fact_text(out, "Protocol", j.tls->version);
  fact_text(out, "Subject", j.tls->subject);
  fact_text(out, "Issuer", j.tls->issuer);
  if (j.tls->not_before) fact_text(out, "Valid from", moment(*j.tls->not_before));
  if (j.tls->not_after) {
    const auto days =
        std::chrono::floor<std::chrono::days>(*j.tls->not_after - j.read.ended).count();
    fact_text(out, "Valid until",
              fmt::format("{} ({})", moment(*j.tls->not_after),
                          days >= 0 ? counted(static_cast<std::uint64_t>(days), "day", "days") +
                                          " after this read"
                                    : std::string("over before this read")));
  }
}

}  // namespace

void write_agents(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "crawlers"}});
  out.element("h2", "AI crawlers");
  if (j.agents.empty() || std::ranges::none_of(j.agents, &AgentResult::known)) {
    out.element("p", {{"class", "lead"}},
                "robots.txt could not be read, so nothing can be said about them.");
    return;
  }
  out.element("p", {{"class", "lead"}},
              fmt::format("Who may fetch the start page by robots.txt. What each name is for was "
                          "last looked through on {}.",
                          kAgentsDate));
  const auto scroll = out.in("div", {{"class", "scroll"},
                                     {"tabindex", "0"},
                                     {"role", "region"},
                                     {"aria-label", "Table of AI crawlers"}});
  const auto table = out.in("table", {{"class", "agents"}});
  out.element("caption", "Crawlers by purpose, and the line of robots.txt that decides");
  {
    const auto head = out.in("thead");
    const auto row = out.in("tr");
    for (const std::string_view words : {"Crawler", "Vendor", "Start page", "Decided by"})
      out.element("th", {{"scope", "col"}}, words);
  }
  for (const AgentPurpose purpose : kPurposes) {
    if (std::ranges::none_of(j.agents,
                             [&](const AgentResult& one) { return one.agent->purpose == purpose; }))
      continue;
    const auto body = out.in("tbody");
    {
      const auto row = out.in("tr", {{"class", "purpose"}});
      const auto cell = out.in("th", {{"scope", "rowgroup"}, {"colspan", "4"}});
      out.text(title_of(purpose));
      out.element("span", {{"class", "note"}}, fmt::format(" {}", sentence(purpose)));
    }
    for (const AgentResult& agent : j.agents) {
      if (agent.agent->purpose == purpose) write_agent(out, j, agent);
    }
  }
}

void write_files(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "files"}});
  out.element("h2", "Site files");
  write_robots(out, j);
  write_sitemaps(out, j);
  write_tls(out, j);
}

void write_conduct(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "conduct"}});
  out.element("h2", "Our conduct");
  out.element("p", {{"class", "lead"}},
              "Every request named us. robots.txt was obeyed, and no more than the site’s pace was "
              "asked of it.");
  const auto facts = out.in("dl", {{"class", "facts"}});
  fact_text(out, "Who we said we were", j.read.user_agent);
  const double seconds = std::chrono::duration<double>(j.read.ended - j.read.started).count();
  fact_text(out, "Read from", moment(j.read.started));
  fact_text(out, "Until", fmt::format("{} ({})", moment(j.read.ended), duration(seconds)));
  // An address that robots.txt closes has a record, but was never asked for.
  const auto asked =
      static_cast<std::uint64_t>(std::ranges::count_if(j.pages, [](const PageResult& page) {
        return page.status > 0 || !page.failure ||
               page.failure->kind != FailureKind::kRobotsDisallowed;
      }));
  fact_text(out, "Asked for", counted(asked, "page address", "page addresses"));
  if (asked > 1 && seconds > 0)
    fact_text(
        out, "Pace",
        fmt::format("one page each {} on average", duration(seconds / static_cast<double>(asked))));
  fact_text(out, "Waited out of politeness", duration(j.read.waited_seconds));
  if (j.read.retry_at != Instant{})
    fact_text(out, "It may be asked again", moment(j.read.retry_at));
}

}  // namespace periplus
