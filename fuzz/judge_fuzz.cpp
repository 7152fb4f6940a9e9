// rooms: audit
// A stored read: records parted by a line "%%". The first line of a record says what it is ("page",
// "robots", "sitemap" or the name of another document), its status, its address and where it was
// found; header lines and an empty line follow, then the body. Every body is read as stored JSON
// too.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "audit/judge.h"
#include "audit/report/report.h"
#include "audit/rulebook.h"
#include "visit/record_format.h"

namespace {

using namespace periplus;

void require(bool law) {
  if (!law) std::abort();
}

class WholeHosts final : public PublicSuffixes {
 public:
  std::string site(std::string_view host) const override { return std::string(host); }
  std::string owner(std::string_view host) const override { return std::string(host); }
};

std::string_view cut(std::string_view* rest, std::string_view at) {
  const std::size_t end = std::min(rest->find(at), rest->size());
  const std::string_view out = rest->substr(0, end);
  rest->remove_prefix(std::min(end + at.size(), rest->size()));
  return out;
}

void read_as_json(std::string_view body) {
  if (const auto chain = chain_from_json(body))
    require(chain_from_json(to_json(*chain)).has_value());
  if (const auto left = not_fetched_from_json(body))
    require(not_fetched_from_json(to_json(*left)).has_value());
  if (const auto notes = visit_notes_from_json(body))
    require(visit_notes_from_json(to_json(*notes)).has_value());
}

void add(std::string_view record, SiteReadInMemory* out) {
  std::string_view line = cut(&record, "\n");
  const std::string kind(cut(&line, " "));
  const std::string_view code = cut(&line, " ");
  int status = 0;
  std::from_chars(code.data(), code.data() + code.size(), status);
  const std::string url(cut(&line, " "));
  const Headers headers = Headers::from_text(cut(&record, "\n\n"));
  read_as_json(record);
  if (kind != "page") {
    DocumentRecord& document = out->documents.emplace_back();
    document.kind = kind;
    document.url = url;
    document.status = status;
    document.headers = headers;
    document.body = record;
    return;
  }
  PageRecord& page = out->pages.emplace_back();
  page.url = url;
  page.final_url = line.empty() ? url : std::string(line);
  page.via = out->pages.size() == 1 ? FoundVia::kStart : FoundVia::kLink;
  page.depth = out->pages.size() == 1 ? 0 : 1;
  page.status = status;
  if (status == 0) page.failure = Failure{FailureKind::kTimeout, ""};
  page.headers = headers;
  page.body = record;
  page.hops.push_back({url, status, std::string(headers.get("location")), "", {}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  SiteReadInMemory source;
  source.site.site = "x.test";
  source.site.start_url = source.site.home_url = "https://x.test/";
  source.site.outcome.kind = OutcomeKind::kComplete;
  while (!input.empty() && source.pages.size() < 50) add(cut(&input, "\n%%\n"), &source);

  const WholeHosts suffixes;
  JudgeOptions options;
  options.suffixes = &suffixes;
  const Result<Judgement> judged = judge(source, Rulebook::standard(), options);
  require(judged.has_value());
  require(judged->pages.size() == source.pages.size());
  require(judged->overall.has_value() == judged->no_score.empty());
  require(!judged->overall || (*judged->overall >= 0 && *judged->overall <= 100));
  require(!json_report(*judged).empty());
  require(!terminal_report(*judged, false).empty());
  return 0;
}
