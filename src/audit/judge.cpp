#include "audit/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "audit/audit_use.h"
#include "audit/check.h"
#include "audit/no_score.h"
#include "audit/rulebook.h"
#include "audit/summarise.h"
#include "audit/verdict_table.h"
#include "base/text.h"
#include "visit/record_format.h"

namespace periplus {

struct Judgement::Kept {
  SiteFacts site;
};

namespace {

constexpr std::size_t kListedKept = 500'000;  // addresses of sitemaps

// What a rule about pages says of a page that it is not asked about; nothing when it is.
std::optional<Judged> outside_scope(const Rule& rule, const PageSummary& page) {
  if (page.state == PageState::kNotAPage) return not_applicable("no page");
  if (rule.scope == RuleScope::kAddress) return std::nullopt;
  switch (page.state) {
    case PageState::kHtml:
      return std::nullopt;
    case PageState::kOther:
      return not_applicable("not HTML");
    case PageState::kRedirect:
    case PageState::kRedirectFault:
      return not_applicable("a redirect");
    case PageState::kAway:
      return not_applicable("leads away from what is read");
    case PageState::kBlocked:
      return unknown("bot protection answered instead of the page");
    case PageState::kNoAnswer:
      return unknown("the page did not answer in full");
    case PageState::kNotAPage:
      return not_applicable("no page");
    case PageState::kError:
      break;
  }
  constexpr std::array kKeptFromUs = {401, 403, 407, 429, 451};
  if (page.status >= 500) return unknown("the server answered with an error of its own");
  if (std::ranges::find(kKeptFromUs, page.status) != kKeptFromUs.end())
    return unknown("the server did not show us the page");
  return not_applicable("an error page");
}

std::optional<Judged> not_indexable(const PageSummary& page) {
  if (!page.indexable) return unknown(page.not_indexable_because);
  if (!*page.indexable) return not_applicable(page.not_indexable_because);
  return std::nullopt;
}

class Judge {
 public:
  Judge(SiteReadSource& source, const Rulebook& rulebook, const JudgeOptions& options)
      : source_(source),
        rulebook_(rulebook),
        options_(options),
        kept_(std::make_shared<Judgement::Kept>()),
        site_(kept_->site),
        table_(rulebook.size(), options.findings_per_rule) {}

  Result<Judgement> run() {
    site_.read = source_.read();
    site_.our_token = options_.our_token;
    site_.now = options_.now == Instant{} ? site_.read.ended : options_.now;
    const auto start = Url::parse(site_.read.start_url);
    if (!start)
      return fail(ErrorKind::kDatabase, "the read has no start address", site_.read.start_url);
    Scope scope(*options_.suffixes, *start);
    site_.home_url = *start;
    if (const auto home = Url::parse(site_.read.home_url)) {
      scope.add(*home);
      site_.home_url = *home;
    }
    const auto documents = source_.each_document([&](DocumentRecord& one) { take(one); });
    if (!documents) return std::unexpected(documents.error());
    mark_declared();
    Summariser summariser(site_, scope);
    const auto pages = source_.each_page([&](PageRecord& record) {
      const PageInHand in_hand = summariser.add(record);
      judge_page(in_hand);
    });
    if (!pages) return std::unexpected(pages.error());
    site_.index();
    for (std::size_t rule = 0; rule < rulebook_.size(); ++rule) judge_rest(rule);
    for (std::size_t rule = 0; rule < rulebook_.size(); ++rule) apply_prerequisite(rule);
    return conclude();
  }

 private:
  void take(DocumentRecord& document) {
    if (document.kind == kRobotsDocument) {
      site_.add_robots(std::move(document));
    } else if (document.kind == kSitemapDocument) {
      take_sitemap(document);
    } else if (document.kind != kNotFetchedDocument) {
      site_.extras.insert_or_assign(document.kind, std::move(document));
    }
  }

  void take_sitemap(const DocumentRecord& document) {
    SitemapFile file;
    file.url = site_.addresses.intern(document.url);
    file.status = document.status;
    file.failure = document.failure;
    if (document.wall)
      file.failure = Failure{FailureKind::kAborted, "bot protection: " + document.wall->vendor};
    const auto index = static_cast<std::uint32_t>(site_.sitemaps.size());
    if (!file.failure && document.status >= 200 && document.status < 300) {
      const auto base = Url::parse(document.url);
      const Sitemap sitemap = read_sitemap(document.body, document.headers.get("content-type"),
                                           base ? &*base : nullptr);
      file.kind = sitemap.kind;
      file.entries = sitemap.entries.size();
      file.well_formed = sitemap.well_formed;
      file.findings = sitemap.findings;
      if (sitemap.kind != SitemapKind::kIndex && base) {
        for (const SitemapEntry& entry : sitemap.entries) {
          const auto url = Url::parse(entry.loc, &*base);
          if (!url || site_.listed.size() >= kListedKept) continue;
          const AddressId listed = site_.addresses.intern(url->without_fragment());
          site_.listed.push_back({listed, index, entry.lastmod});
          take_alternates(entry, listed, *base);
        }
      }
    }
    site_.sitemaps.push_back(std::move(file));
  }

  // hreflang of a sitemap holds for the page it lists; pages take theirs as they come.
  void take_alternates(const SitemapEntry& entry, AddressId page, const Url& base) {
    for (const SitemapAlternate& given : entry.alternates) {
      site_.listed_alternates[page].push_back(
          site_.alternate(given.lang, given.href, base, AlternateSource::kSitemap));
    }
  }

  void mark_declared() {
    const RobotsFile* robots = site_.home_robots();
    if (robots == nullptr || !robots->known()) return;
    const auto base = Url::parse(robots->record.url);
    for (const std::string& loc : robots->text->sitemaps()) {
      const auto url = Url::parse(loc, base ? &*base : nullptr);
      if (!url) continue;
      for (SitemapFile& file : site_.sitemaps) {
        if (site_.addresses[file.url] == url->href()) file.declared = true;
      }
    }
  }

  // Pass one.
  void judge_page(const PageInHand& in_hand) {
    for (std::size_t rule = 0; rule < rulebook_.size(); ++rule) {
      const RuleEntry& entry = rulebook_.entry(rule);
      if (entry.page == nullptr) continue;
      const std::optional<Judged> outside = outside_scope(entry.rule, in_hand.page);
      FindingList findings(options_.findings_per_page);
      const Judged judged = outside ? *outside : entry.page(in_hand, findings);
      table_.put(rule, in_hand.page.id, judged, &findings);
    }
  }

  // Pass two.
  void judge_rest(std::size_t rule) {
    const RuleEntry& entry = rulebook_.entry(rule);
    if (entry.rule.scope == RuleScope::kSite) {
      FindingList findings(options_.findings_per_rule);
      const Judged judged =
          entry.site == nullptr ? not_applicable("not asked") : entry.site(site_, findings);
      site_verdicts_[rule] = {judged, findings.total()};
      if (judged.verdict == Verdict::kFail) site_findings_[rule] = std::move(findings.kept());
      return;
    }
    for (const PageSummary& page : site_.pages) {
      if (entry.rule.scope == RuleScope::kIndexablePage && page.state == PageState::kHtml) {
        if (const std::optional<Judged> out = not_indexable(page)) {
          table_.overrule(rule, page.id, *out);
          continue;
        }
      }
      if (entry.page != nullptr) continue;
      const std::optional<Judged> outside = outside_scope(entry.rule, page);
      FindingList findings(options_.findings_per_page);
      const Judged judged = outside                  ? *outside
                            : entry.graph == nullptr ? not_applicable("not asked")
                                                     : entry.graph(site_, page, findings);
      table_.put(rule, page.id, judged, &findings);
    }
  }

  // Where a rule's prerequisite fails it fails too, for mending the one must never lower a score by
  // uncovering the other.
  void apply_prerequisite(std::size_t rule) {
    const Rule& own = rulebook_[rule];
    if (own.prerequisite.empty()) return;
    const std::size_t other = rulebook_.index_of(own.prerequisite);
    if (other == rulebook_.size()) return;
    const auto because = [&] {
      return fmt::format("Cannot pass while {} fails here.", own.prerequisite);
    };
    if (own.scope == RuleScope::kSite) {
      const Verdict before = rulebook_[other].scope == RuleScope::kSite
                                 ? site_verdicts_[other].judged.verdict
                             : site_.home_read() ? table_.verdict(other, site_.home)
                                                 : Verdict::kUnknown;
      SiteVerdict& verdict = site_verdicts_[rule];
      if (before != Verdict::kFail || verdict.judged.verdict == Verdict::kFail) return;
      verdict = {{Verdict::kFail, {}}, 1};
      site_findings_[rule] = {{kNoPage, because(), {}, {}, {}}};
      return;
    }
    for (const PageSummary& page : site_.pages) {
      if (table_.verdict(other, page.id) != Verdict::kFail ||
          table_.verdict(rule, page.id) == Verdict::kFail)
        continue;
      if (outside_scope(own, page)) continue;
      if (own.scope == RuleScope::kIndexablePage && not_indexable(page)) continue;
      FindingList findings(1);
      findings.add(because());
      table_.put(rule, page.id, findings.verdict(), &findings);
    }
  }

  Judgement conclude() {
    Judgement out;
    out.rulebook_version = rulebook_.version();
    out.score_version = kScoreVersion;
    out.read = site_.read;
    out.complete = site_.complete();
    std::vector<RuleTally> tallies;
    for (std::size_t rule = 0; rule < rulebook_.size(); ++rule) {
      out.rules.push_back(result_of(rule));
      const RuleResult& result = out.rules.back();
      tallies.push_back({result.rule->stage, result.rule->severity,
                         result.rule->scope == RuleScope::kSite, result.passing, result.failing,
                         result.unknown, result.not_applicable});
    }
    out.sheet = score(tallies);
    for (std::size_t rule = 0; rule < out.rules.size(); ++rule) {
      out.rules[rule].share = out.sheet.rules[rule].share;
      out.rules[rule].stage_gain = out.sheet.rules[rule].stage_gain;
      out.rules[rule].gain = out.sheet.rules[rule].gain;
    }
    for (const std::size_t rule : out.sheet.fix_order)
      out.fix_list.push_back(static_cast<std::uint16_t>(rule));
    out.no_score = why_no_score(site_, out.sheet);
    if (out.no_score.empty()) {
      out.overall = out.sheet.overall;
    } else {
      out.sheet.overall.reset();
      for (StageScore& stage : out.sheet.stages) stage.score.reset();
    }
    fill_pages(&out);
    fill_documents(&out);
    fill_agents(&out);
    if (site_.home_tls.used) out.tls = site_.home_tls;
    out.kept = kept_;
    return out;
  }

  RuleResult result_of(std::size_t rule) {
    RuleResult out;
    out.rule = &rulebook_[rule];
    if (out.rule->scope == RuleScope::kSite) {
      const SiteVerdict& verdict = site_verdicts_[rule];
      const std::string reason(verdict.judged.reason);
      switch (verdict.judged.verdict) {
        case Verdict::kPass:
          out.passing = 1;
          break;
        case Verdict::kFail:
          out.failing = 1;
          break;
        case Verdict::kUnknown:
          out.unknown = 1;
          out.unknown_reasons.emplace_back(reason, 1);
          break;
        case Verdict::kNotApplicable:
          out.not_applicable = 1;
          out.not_applicable_reasons.emplace_back(reason, 1);
          break;
      }
      out.findings = std::move(site_findings_[rule]);
      out.findings_total = out.failing > 0 ? verdict.findings : 0;
      return out;
    }
    out.passing = table_.count(rule, Verdict::kPass);
    out.failing = table_.count(rule, Verdict::kFail);
    out.unknown = table_.count(rule, Verdict::kUnknown);
    out.not_applicable = table_.count(rule, Verdict::kNotApplicable);
    out.unknown_reasons = table_.reasons(rule, Verdict::kUnknown);
    out.not_applicable_reasons = table_.reasons(rule, Verdict::kNotApplicable);
    out.failing_pages = table_.failing(rule);
    out.findings_total = table_.findings_total(rule);
    out.findings = table_.take_findings(rule);
    return out;
  }

  void fill_pages(Judgement* out) const {
    for (const PageSummary& page : site_.pages) {
      PageResult row;
      row.url = site_.address(page.url);
      row.final_url = site_.address(page.final_url);
      row.status = page.status;
      row.failure = page.failure;
      row.content_type = page.content_type;
      if (page.depth != kUnlinked) row.depth = page.depth;
      row.via = page.via;
      if (page.found_from != kNoText) row.found_from = site_.address(page.found_from);
      row.title = page.title;
      row.lang = page.lang;
      row.words = page.words;
      row.links = page.all_links;
      row.links_in = static_cast<std::uint32_t>(site_.linked_from(page.id).size());
      row.bytes = page.body_bytes;
      row.cut = page.cut;
      row.html = page.state == PageState::kHtml;
      row.blocked = page.state == PageState::kBlocked;
      row.noindex = page.noindex;
      row.indexable = page.indexable;
      if (!page.canonicals.empty() && page.canonicals.front().target != kNoText)
        row.canonical = site_.address(page.canonicals.front().target);
      if (page.state == PageState::kAway && page.leads_to != kNoText) {
        row.leads_to = site_.address(page.leads_to);
      } else if (page.state == PageState::kRedirect || page.hops.size() > 1) {
        row.leads_to = site_.address(site_.destination(page.url).final_url);
      }
      row.wait_ms = page.wait_ms;
      out->pages.push_back(std::move(row));
    }
    for (std::size_t rule = 0; rule < out->rules.size(); ++rule) {
      for (const PageId page : out->rules[rule].failing_pages)
        out->pages[page].failed.push_back(static_cast<std::uint16_t>(rule));
    }
  }

  void fill_documents(Judgement* out) const {
    for (const SitemapFile& file : site_.sitemaps) {
      SitemapResult row;
      row.url = site_.address(file.url);
      row.status = file.status;
      row.failure = file.failure;
      row.kind = name(file.kind);
      row.entries = file.entries;
      for (const SitemapFinding& finding : file.findings)
        row.faults.push_back(finding.line > 0
                                 ? fmt::format("line {}: {}", finding.line, sentence(finding.fault))
                                 : std::string(sentence(finding.fault)));
      out->sitemaps.push_back(std::move(row));
    }
    const RobotsFile* robots = site_.home_robots();
    if (robots == nullptr) return;
    RobotsResult row;
    row.url = site_.home_url.origin() + "/robots.txt";
    row.status = robots->record.status;
    row.failure = robots->record.failure;
    row.from_last_good = robots->record.from_last_good;
    if (robots->known()) {
      if (const auto verdict = site_.robots_verdict(site_.our_token, site_.home_url)) {
        row.line = verdict->line;
        row.rule = verdict->rule;
      }
      row.sitemaps = robots->text->sitemaps();
      row.crawl_delay = robots->text->rules_for(site_.our_token).crawl_delay();
      for (const UseSignal& signal : robots->text->use_signals())
        row.signals.emplace_back(robots->text->line(signal.line));
    }
    out->robots = std::move(row);
  }

  void fill_agents(Judgement* out) const {
    const RobotsFile* robots = site_.home_robots();
    for (const Agent& agent : known_agents()) {
      AgentResult row;
      row.agent = &agent;
      const auto verdict = site_.robots_verdict(agent.token, site_.home_url);
      row.known = verdict.has_value();
      if (verdict) {
        row.home_allowed = verdict->allowed;
        row.line = verdict->line;
        row.rule = verdict->rule;
        const RobotsRules rules = robots->text->rules_for(agent.token);
        if (!rules.group().empty()) row.group = rules.group().front();
        for (const PageSummary& page : site_.pages) {
          const auto url = Url::parse(site_.address(page.final_url));
          if (url && !site_.robots_allows(agent.token, *url).value_or(true)) ++row.pages_closed;
        }
      }
      out->agents.push_back(std::move(row));
    }
  }

  struct SiteVerdict {
    Judged judged;
    std::uint64_t findings = 0;
  };

  SiteReadSource& source_;
  const Rulebook& rulebook_;
  const JudgeOptions& options_;
  std::shared_ptr<Judgement::Kept> kept_;
  SiteFacts& site_;
  VerdictTable table_;
  std::map<std::size_t, SiteVerdict> site_verdicts_;
  std::map<std::size_t, std::vector<Finding>> site_findings_;
};

}  // namespace

Verdict RuleResult::verdict() const {
  if (failing > 0) return Verdict::kFail;
  if (passing > 0) return Verdict::kPass;
  return unknown > 0 ? Verdict::kUnknown : Verdict::kNotApplicable;
}

std::vector<LinkRecord> Judgement::links() const {
  std::vector<LinkRecord> out;
  if (!kept) return out;
  const SiteFacts& site = kept->site;
  for (const PageSummary& page : site.pages) {
    std::unordered_set<AddressId> seen;
    for (const LinkEntry& link : site.links_of(page)) {
      if (!seen.insert(link.target).second) continue;
      LinkRecord row;
      row.from = page.id;
      row.to = site.address(link.target);
      row.words = site.texts[link.words];
      row.internal = link.internal;
      row.nofollow = (link.rel & kRelNofollow) != 0;
      row.place = link.place;
      if (const PageSummary* target = site.page_at(link.target); target != nullptr)
        row.status = target->status;
      out.push_back(std::move(row));
    }
  }
  return out;
}

Result<Judgement> judge(SiteReadSource& source, const Rulebook& rulebook,
                        const JudgeOptions& options) {
  return Judge(source, rulebook, options).run();
}

}  // namespace periplus
