// The head of the HTML report, and what a reader sees first: the score, or why there is none.
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "audit/report/html_parts.h"
#include "audit/report/html_script.inc"
#include "audit/report/html_style.inc"
#include "audit/report/report.h"

namespace periplus {
namespace {

// 'sha256-…' as Content-Security-Policy takes it (CSP Level 3, section 2.3.1).
std::string hash_source(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    return "'none'";
  std::array<unsigned char, 64> base64{};
  const int length = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(size));
  return fmt::format("'sha256-{}'", std::string_view(reinterpret_cast<const char*>(base64.data()),
                                                     static_cast<std::size_t>(length)));
}

std::string_view tone_of(double score) {
  if (score >= 80) return "good";
  return score >= 50 ? "fair" : "poor";
}

void write_site_name(HtmlWriter& out, const Judgement& j) {
  {
    const auto title = out.in("h1");
    out.foreign(j.read.site.empty() ? j.read.start_url : j.read.site);
  }
  const auto start = out.in("p", {{"class", "start"}});
  out.address(j.read.home_url.empty() ? j.read.start_url : j.read.home_url);
}

void write_ring(HtmlWriter& out, const Judgement& j) {
  const auto ring = out.in(
      "div", {{"class", j.overall ? fmt::format("ring {}", tone_of(*j.overall)) : "ring none"}});
  {
    constexpr double kAround = 2 * 3.14159265 * 52;
    const auto svg = out.in("svg", {{"viewBox", "0 0 120 120"}, {"aria-hidden", "true"}});
    out.element("circle", {{"class", "track"}, {"cx", "60"}, {"cy", "60"}, {"r", "52"}}, "");
    if (j.overall)
      out.element(
          "circle",
          {{"class", "value"},
           {"cx", "60"},
           {"cy", "60"},
           {"r", "52"},
           {"stroke-dasharray", fmt::format("{:.1f} {:.1f}", kAround * *j.overall / 100, kAround)},
           {"transform", "rotate(-90 60 60)"}},
          "");
  }
  const auto words = out.in("p");
  if (!j.overall) {
    out.element("strong", "–");
    out.element("span", "no score");
    return;
  }
  out.element("strong", std::to_string(shown(*j.overall)));
  out.element("span", " of 100");
}

void write_bar(HtmlWriter& out, double score) {
  const auto svg = out.in("svg", {{"class", fmt::format("bar {}", tone_of(score))},
                                  {"viewBox", "0 0 100 8"},
                                  {"preserveAspectRatio", "none"},
                                  {"aria-hidden", "true"}});
  out.element("rect", {{"class", "track"}, {"width", "100"}, {"height", "8"}}, "");
  out.element("rect",
              {{"class", "value"}, {"width", fmt::format("{:.1f}", score)}, {"height", "8"}}, "");
}

void write_stages(HtmlWriter& out, const Judgement& j) {
  const auto list = out.in("ul", {{"class", "stages"}});
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    const StageScore& score = j.sheet.stages.at(i);
    const auto item = out.in("li");
    {
      const auto line = out.in("p", {{"class", "stage-line"}});
      out.element("a", {{"href", fmt::format("#stage-{}", name(stage))}}, title_of(stage));
      out.text(" ");
      out.element("strong", score.score ? std::to_string(shown(*score.score)) : "no score");
    }
    write_bar(out, score.score.value_or(0));
    const auto note = out.in("p", {{"class", "note"}});
    out.text(meaning_of(stage));
    if (score.partial)
      out.element("span", {{"class", "partial"}},
                  fmt::format(" Partial: {} decided.", percent(score.coverage)));
  }
}

std::string tally(const Judgement& j) {
  std::array<std::size_t, 4> failing{};
  for (const RuleResult& result : j.rules) {
    if (result.verdict() == Verdict::kFail)
      ++failing.at(static_cast<std::size_t>(result.rule->severity));
  }
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    if (failing.at(i) == 0) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", failing.at(i),
                       name(static_cast<Severity>(i)));
  }
  if (out.empty()) return "No scored rule fails.";
  const std::size_t all = failing[0] + failing[1] + failing[2];
  return fmt::format("{} {}.", out, all == 1 ? "rule fails" : "rules fail");
}

// "Reachable" holds the score down when the mean of the stages lies above it.
std::string held_down(const Judgement& j) {
  if (!j.overall || !j.sheet.stages[0].score) return {};
  double mean = 0;
  for (std::size_t i = 0; i < kStages; ++i)
    mean += kStageWeights.at(i) * j.sheet.stages.at(i).score.value_or(0);
  if (mean < *j.sheet.stages[0].score + 0.05) return {};
  return "The score cannot exceed “Reachable”, which holds it down here.";
}

void write_partial_notice(HtmlWriter& out, const Judgement& j) {
  if (j.complete && !j.sheet.partial) return;
  const auto notice = out.in("div", {{"class", "notice"}, {"role", "note"}});
  const auto words = out.in("p");
  out.element("strong", "This is not the whole site. ");
  if (!j.complete) out.text(sentence_of(sentence(j.read.outcome.kind)) + " ");
  if (j.sheet.partial)
    out.text(
        fmt::format("Only {} of what the rules ask could be decided. ", percent(j.sheet.coverage)));
  out.element("a", {{"href", "#coverage"}}, "What was read, and what was not");
}

void write_method(HtmlWriter& out) {
  const auto details = out.in("details", {{"class", "method"}});
  out.element("summary", "How the score is made");
  out.element("p",
              "Each failing rule takes a slice of what is left of its stage: critical 70 %, major "
              "15 %, minor 4 %. The slice grows with the share of pages that fail. Rules that do "
              "not apply cost and earn nothing; rules that could not be decided lower the coverage "
              "and never the score.");
  out.element("p",
              "The site’s score is the weighted mean of the four stages (reachable 35 %, readable "
              "25 %, understandable 20 %, trusted 20 %) and cannot exceed “Reachable”. Scores are "
              "rounded down, so 100 means that no scored rule fails. Grades: A from 90, B from 80, "
              "C from 65, D from 50, else F.");
}

struct Advice {
  OutcomeKind kind;
  std::string_view title, advice;
};
constexpr Advice kAdvice[] = {
    {OutcomeKind::kKeptOut, "Kept out by robots.txt",
     "This is the site’s choice, and it was kept: nothing but robots.txt was asked for. To have "
     "the site read, add a group to robots.txt for our name with “Allow: /”, then read it again."},
    {OutcomeKind::kRobotsClosed, "robots.txt cannot be read",
     "While robots.txt answers with a server error or not at all, crawlers treat the whole site as "
     "closed. Make it answer with status 200, or with 404 when there is none, then read it again."},
    {OutcomeKind::kUnreachable, "The site cannot be reached",
     "Crawlers meet the same failure as this read did. Mend it, check the address from outside "
     "your own network, then read the site again."},
    {OutcomeKind::kHomeError, "The start page is an error",
     "Check the address, and let the start page answer with status 200, then read the site again."},
    {OutcomeKind::kBotWall, "Bot protection answered",
     "We never try to pass a challenge. Search engines and AI crawlers without an exception meet "
     "the same wall. Let known crawlers through by their verified identity (for example Web Bot "
     "Auth signatures), then read the site again."},
    {OutcomeKind::kBackedOff, "The site asked us to come back later",
     "It answered with status 429 or 503 and a pause longer than a read may last, and that was "
     "kept. If it happens often, raise the limit for crawlers that name themselves."},
};

// The line of robots.txt, or the failure in its own words.
void write_deciding(HtmlWriter& out, const Judgement& j) {
  const auto facts = out.in("dl", {{"class", "facts"}});
  const auto fact = [&](std::string_view term, std::string_view words) {
    if (words.empty()) return;
    const auto pair = out.in("div");
    out.element("dt", term);
    const auto value = out.in("dd");
    out.foreign(words);
  };
  const Outcome& outcome = j.read.outcome;
  if (outcome.kind == OutcomeKind::kKeptOut && j.robots && j.robots->line > 0) {
    const auto pair = out.in("div");
    out.element("dt", fmt::format("Deciding line of robots.txt: line {}", j.robots->line));
    const auto value = out.in("dd");
    const auto code = out.in("code", {{"class", "block"}});
    out.foreign(j.robots->rule);
  } else if (outcome.failure) {
    fact("Failure", sentence_of(words_of(*outcome.failure)));
  } else {
    fact("What we met", outcome.detail);
  }
  if (j.read.retry_at != Instant{}) fact("It may be asked again", moment(j.read.retry_at));
  fact("Start address", j.read.start_url);
}

}  // namespace

void write_head(HtmlWriter& out, const Judgement& j) {
  const auto head = out.in("head");
  out.open("meta", {{"charset", "utf-8"}});
  out.open("meta",
           {{"http-equiv", "Content-Security-Policy"},
            {"content", fmt::format("default-src 'none'; style-src {}; script-src {}; "
                                    "img-src data:; base-uri 'none'; form-action 'none'",
                                    hash_source(kReportStyle), hash_source(kReportScript))}});
  out.open("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  out.open("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  out.open("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  out.open("meta", {{"name", "robots"}, {"content", "noindex"}});
  // Names in the links are not looked up before they are followed, nor is an icon asked for.
  out.open("meta", {{"http-equiv", "x-dns-prefetch-control"}, {"content", "off"}});
  out.open("link", {{"rel", "icon"}, {"href", "data:,"}});
  out.element("title", fmt::format("{}: {} – Periplus audit", j.read.site,
                                   j.overall ? fmt::format("{} of 100", shown(*j.overall))
                                             : std::string("no score")));
  const auto style = out.in("style");
  out.verbatim(kReportStyle);
}

void write_score(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "score"}, {"class", "hero"}});
  write_site_name(out, j);
  write_partial_notice(out, j);
  {
    const auto card = out.in("div", {{"class", "scorecard"}});
    {
      const auto overall = out.in("div", {{"class", "overall"}});
      write_ring(out, j);
      if (j.overall) {
        const auto grade_line = out.in("p", {{"class", "grade"}});
        out.text("Grade ");
        out.element("strong", std::string(1, grade(*j.overall)));
      }
      out.element("p", {{"class", "note"}}, j.overall ? tally(j) : j.no_score);
      if (const std::string held = held_down(j); !held.empty())
        out.element("p", {{"class", "note"}}, held);
    }
    write_stages(out, j);
  }
  write_method(out);
}

void write_no_read(HtmlWriter& out, const Judgement& j) {
  const auto section = out.in("section", {{"id", "result"}, {"class", "hero"}});
  write_site_name(out, j);
  const auto* advice = std::ranges::find(kAdvice, j.read.outcome.kind, &Advice::kind);
  const bool known = advice != std::end(kAdvice);
  {
    const auto card = out.in("div", {{"class", "closed"}});
    out.element("h2", known ? advice->title : std::string_view("No page was read"));
    {
      const auto why = out.in("p", {{"class", "lead"}});
      out.foreign(sentence_of(j.no_score));
    }
    write_deciding(out, j);
    if (known) {
      out.element("h3", "What to do");
      out.element("p", advice->advice);
    }
    out.element("p", {{"class", "note"}},
                "There is no score: a score says something only about pages that were read.");
  }
  // What was judged all the same: certificates, robots.txt.
  std::vector<const RuleResult*> failing;
  for (const RuleResult& result : j.rules) {
    if (result.verdict() == Verdict::kFail) failing.push_back(&result);
  }
  if (failing.empty()) return;
  out.element("h2", "What could be judged all the same");
  const auto list = out.in("ul", {{"class", "plain"}});
  for (const RuleResult* result : failing) {
    const auto item = out.in("li");
    write_severity(out, result->rule->severity);
    out.text(" ");
    out.element("strong", result->rule->title);
    for (std::size_t i = 0; i < std::min(result->findings.size(), kFindingsShown); ++i) {
      const auto line = out.in("p");
      out.foreign(result->findings[i].message);
    }
    if (result->findings.size() > kFindingsShown)
      out.element("p", fmt::format("and {} more in the JSON report",
                                   number(result->findings_total - kFindingsShown)));
    out.element("p", {{"class", "note"}}, result->rule->fix);
  }
}

}  // namespace periplus
