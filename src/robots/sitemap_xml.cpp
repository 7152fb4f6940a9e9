#include "robots/sitemap_xml.h"

#include <expat.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace periplus {
namespace {

constexpr std::size_t kTokenBytes = 64 * 1024;
constexpr std::size_t kDepth = 64;
constexpr std::size_t kJudgeStep = 64 * 1024;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

void append_bounded(std::string* out, std::string_view more) {
  out->append(more.substr(0, kTokenBytes - std::min(kTokenBytes, out->size())));
}

// The value of one attribute of a start tag, as written; empty when it is not there.
std::string_view attribute(std::string_view tag, std::string_view wanted) {
  std::size_t at = 0;
  while (at < tag.size() && !is_space(tag[at])) ++at;
  while (at < tag.size()) {
    while (at < tag.size() && (is_space(tag[at]) || tag[at] == '/')) ++at;
    const std::size_t name = at;
    while (at < tag.size() && tag[at] != '=' && !is_space(tag[at]) && tag[at] != '/') ++at;
    const std::string_view found = tag.substr(name, at - name);
    while (at < tag.size() && is_space(tag[at])) ++at;
    if (at >= tag.size() || tag[at] != '=') {
      if (found.empty() && at < tag.size()) ++at;
      continue;
    }
    ++at;
    while (at < tag.size() && is_space(tag[at])) ++at;
    if (at >= tag.size()) break;
    std::size_t end = 0;
    std::string_view value;
    if (tag[at] == '"' || tag[at] == '\'') {
      end = std::min(tag.find(tag[at], at + 1), tag.size());
      value = tag.substr(at + 1, end - at - 1);
      end = std::min(end + 1, tag.size());
    } else {
      end = std::min(tag.find_first_of(" \t\r\n", at), tag.size());
      value = tag.substr(at, end - at);
    }
    if (equal_ignoring_case(found, wanted)) return value;
    at = end;
  }
  return {};
}

}  // namespace

struct SitemapXml::Judge {
  XML_Parser parser = XML_ParserCreate("UTF-8");
  std::string held;
  bool failed = false;
  ~Judge() { XML_ParserFree(parser); }
};

SitemapXml::SitemapXml(SitemapSink* sink, std::uint64_t first_line)
    : sink_(*sink), judge_(std::make_unique<Judge>()), line_(first_line) {
  // With a default handler entities of the document's own DTD are reported, not expanded; external
  // ones are never asked for.
  XML_SetDefaultHandler(judge_->parser, [](void*, const XML_Char*, int) {});
  XML_SetParamEntityParsing(judge_->parser, XML_PARAM_ENTITY_PARSING_NEVER);
}

SitemapXml::~SitemapXml() = default;

void SitemapXml::judge(std::string_view utf8, bool last) {
  if (judge_->failed) return;
  judge_->held.append(utf8);
  if (!last && judge_->held.size() < kJudgeStep) return;
  const XML_Status status = XML_Parse(judge_->parser, judge_->held.data(),
                                      static_cast<int>(judge_->held.size()), last ? 1 : 0);
  judge_->held.clear();
  if (status == XML_STATUS_ERROR) judge_->failed = true;
}

void SitemapXml::feed(std::string_view utf8) {
  // Whole steps of a fixed size, whatever the cut of the input.
  for (std::string_view rest = utf8; !rest.empty();) {
    const std::size_t part = std::min(rest.size(), kJudgeStep - judge_->held.size());
    judge(rest.substr(0, part), false);
    rest.remove_prefix(part);
  }
  if (over_) return;
  for (const char c : utf8) {
    if (c == '\n') ++line_;
    step(c);
    if (over_) return;
  }
}

void SitemapXml::step(char c) {
  switch (state_) {
    case State::kText:
      if (c != '<') {
        if (raw_.size() < kTokenBytes) raw_.push_back(c);
        return;
      }
      token_.clear();
      state_ = State::kOpen;
      return;
    case State::kOpen:
      if (c == '!') {
        end_text();
        state_ = State::kMarkup;
      } else if (c == '?') {
        end_text();
        state_ = State::kInstruction;
      } else if (c == '/' || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || c == '_' ||
                 static_cast<unsigned char>(c) >= 0x80) {
        end_text();
        token_.push_back(c);
        state_ = State::kTag;
      } else {
        append_bounded(&raw_, "<");  // a bare '<'
        state_ = State::kText;
        step(c);
      }
      return;
    case State::kTag:
      if (c == '>') {
        state_ = State::kText;
        if (token_.starts_with('/')) {
          end_element(token_.substr(1));
        } else {
          start_element(token_);
        }
        return;
      }
      if (c == '<') {  // the tag before was never closed
        token_.clear();
        state_ = State::kOpen;
        return;
      }
      if ((c == '"' || c == '\'') && !token_.starts_with('/')) {
        quote_ = c;
        state_ = State::kQuoted;
      }
      if (token_.size() < kTokenBytes) token_.push_back(c);
      return;
    case State::kQuoted:
      if (token_.size() < kTokenBytes) token_.push_back(c);
      if (c == quote_) state_ = State::kTag;
      return;
    case State::kMarkup:
      token_.push_back(c);
      if (token_ == "--") {
        token_.clear();
        state_ = State::kComment;
      } else if (token_ == "[CDATA[") {
        token_.clear();
        state_ = State::kCdata;
      } else if (token_ != "-" && !std::string_view("[CDATA[").starts_with(token_)) {
        if (!doctype_seen_) sink_.find(SitemapFault::kDoctype, line_);
        doctype_seen_ = true;
        brackets_ = 0;
        quote_ = 0;
        state_ = c == '>' ? State::kText : State::kDoctype;
      }
      return;
    case State::kComment:
    case State::kInstruction: {
      const std::string_view end = state_ == State::kComment ? "--" : "?";
      if (c == '>' && token_ == end) {
        state_ = State::kText;
        return;
      }
      token_.push_back(c);
      if (token_.size() > end.size()) token_.erase(0, token_.size() - end.size());
      return;
    }
    case State::kCdata:
      token_.push_back(c);
      if (token_.ends_with("]]>")) {
        token_.erase(token_.size() - 3);
        if (captured_depth_ > 0) append_bounded(&text_, token_);
        state_ = State::kText;
      } else if (token_.size() > kTokenBytes) {
        token_.erase(0, token_.size() - 2);
        spoilt_ = true;
      }
      return;
    case State::kDoctype:
      if (quote_ != 0) {
        if (c == quote_) quote_ = 0;
      } else if (c == '"' || c == '\'') {
        quote_ = c;
      } else if (c == '[') {
        ++brackets_;
      } else if (c == ']') {
        --brackets_;
      } else if (c == '>' && brackets_ <= 0) {
        state_ = State::kText;
      }
      return;
  }
}

void SitemapXml::end_text() {
  if (captured_depth_ > 0) {
    append_bounded(&text_, decode(raw_));
  } else if (entry_depth_ > 0 && stack_.size() == entry_depth_ && depth_beyond_ == 0 &&
             !trim(raw_).empty()) {
    append_bounded(&bare_, decode(raw_));
  }
  raw_.clear();
}

std::string SitemapXml::decode(std::string_view raw) {
  std::string out;
  while (!raw.empty()) {
    const std::size_t mark = std::min(raw.find('&'), raw.size());
    out.append(raw.substr(0, mark));
    raw.remove_prefix(mark);
    if (raw.empty()) break;
    const std::size_t end = raw.substr(0, 64).find(';');
    const std::string_view name =
        end == std::string_view::npos ? std::string_view() : raw.substr(1, end - 1);
    struct Named {
      std::string_view name;
      char means;
    };
    constexpr Named kNamed[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const auto* named = std::find_if(std::begin(kNamed), std::end(kNamed),
                                     [&](const Named& n) { return n.name == name; });
    if (named != std::end(kNamed)) {
      out.push_back(named->means);
    } else if (name.size() > 1 && name[0] == '#') {
      const bool hex = name[1] == 'x' || name[1] == 'X';
      const std::string_view digits = name.substr(hex ? 2 : 1);
      std::uint32_t value = 0;
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
      const bool valid = error == std::errc() && stop == digits.data() + digits.size() &&
                         value != 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
      append_utf8(&out, valid ? static_cast<char32_t>(value) : U'\uFFFD');
    } else {
      const bool entity = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') || (c >= '0' && c <= '9');
      });
      sink_.find(entity ? SitemapFault::kUndefinedEntity : SitemapFault::kUnescapedAmpersand, line_,
                 raw.substr(0, entity ? end + 1 : 20));
      if (entity && doctype_seen_) spoilt_ = true;
      out.push_back('&');
      raw.remove_prefix(1);
      continue;
    }
    raw.remove_prefix(end + 1);
  }
  return out;
}

bool SitemapXml::is_entry(const Element& element) const {
  const bool own = element.prefix == stack_.front().prefix;
  switch (sink_.result.kind) {
    case SitemapKind::kUrlSet:
      return own && element.name == "url";
    case SitemapKind::kIndex:
      return own && element.name == "sitemap";
    case SitemapKind::kRss:
      return element.name == "item";
    case SitemapKind::kAtom:
      return own && element.name == "entry";
    case SitemapKind::kNone:
    case SitemapKind::kText:
      break;
  }
  return false;
}

// The prefix of the XHTML namespace is the file's choice; a `link` that gives hreflang is no other.
void SitemapXml::note_alternate(std::string_view tag) {
  const std::string_view lang = trim(attribute(tag, "hreflang"));
  if (lang.empty() || !equal_ignoring_case(trim(attribute(tag, "rel")), "alternate")) return;
  if (alternates_.size() >= kSitemapAlternates) return;
  spoilt_ = false;
  const std::string href = decode(attribute(tag, "href"));
  if (!spoilt_)
    alternates_.push_back({to_valid_utf8(lang), to_valid_utf8(trim_unicode(href)), line_});
}

void SitemapXml::start_element(std::string_view tag) {
  const bool empty = tag.ends_with('/');
  const std::string_view whole = tag.substr(0, std::min(tag.find_first_of(" \t\r\n/"), tag.size()));
  const std::size_t colon = whole.find(':');
  Element element{to_ascii_lower(colon == std::string_view::npos ? whole : whole.substr(colon + 1)),
                  std::string(colon == std::string_view::npos ? "" : whole.substr(0, colon))};
  if (stack_.size() >= kDepth) {
    if (!empty) ++depth_beyond_;
    return;
  }
  if (stack_.empty()) {
    SitemapKind& kind = sink_.result.kind;
    if (kind == SitemapKind::kNone) {
      if (element.name == "urlset") kind = SitemapKind::kUrlSet;
      if (element.name == "sitemapindex") kind = SitemapKind::kIndex;
      if (element.name == "rss" || element.name == "rdf") kind = SitemapKind::kRss;
      if (element.name == "feed") kind = SitemapKind::kAtom;
      if (element.name == "html") sink_.find(SitemapFault::kLooksLikeHtml, line_);
      if (kind == SitemapKind::kNone) over_ = true;
    }
    if (!empty) stack_.push_back(std::move(element));
    return;
  }
  if (element.name == "sitemapindex") sink_.find(SitemapFault::kNestedIndex, line_);
  const std::string parent_prefix = stack_.back().prefix;
  stack_.push_back(element);
  if (captured_depth_ > 0) {
    // <loc>http://…<loc>: the first was never closed.
    if (element.name == "loc" && !trim(text_).empty()) {
      stack_.pop_back();
      close_top();
      stack_.push_back(element);
    }
  }
  if (captured_depth_ == 0 && entry_depth_ == 0 && is_entry(element)) {
    entry_depth_ = stack_.size();
    added_ = loc_seen_ = lastmod_set_ = false;
    lastmod_.clear();
    alternates_.clear();
    fallback_.clear();
    bare_.clear();
    spoilt_ = false;
  } else if (captured_depth_ == 0 && entry_depth_ > 0 && stack_.size() == entry_depth_ + 1) {
    const bool own = element.prefix == parent_prefix;
    const SitemapKind kind = sink_.result.kind;
    const bool map = kind == SitemapKind::kUrlSet || kind == SitemapKind::kIndex;
    bool wanted = false;
    if (map) wanted = own && (element.name == "loc" || element.name == "lastmod");
    if (kind == SitemapKind::kUrlSet && !own && element.name == "link") note_alternate(tag);
    if (kind == SitemapKind::kRss)
      wanted = (own &&
                (element.name == "link" || element.name == "guid" || element.name == "pubdate")) ||
               element.name == "date";
    if (kind == SitemapKind::kAtom) {
      wanted = own && (element.name == "updated" || element.name == "published");
      if (own && element.name == "link" && !added_) {
        const std::string_view rel = trim(attribute(tag, "rel"));
        if (rel.empty() || equal_ignoring_case(rel, "alternate")) {
          spoilt_ = false;
          const std::string href = decode(attribute(tag, "href"));
          if (!spoilt_) added_ = sink_.add(href, lastmod_, line_);
          lastmod_set_ = added_ && !lastmod_.empty();
        }
      }
    }
    if (wanted) {
      captured_depth_ = stack_.size();
      text_.clear();
      spoilt_ = false;
    }
  }
  if (empty) close_top();
}

void SitemapXml::commit_capture() {
  const std::string name = stack_[captured_depth_ - 1].name;
  captured_depth_ = 0;
  if (spoilt_) return;
  if (name == "loc" || name == "link") {
    if (trim(text_).empty()) return;
    loc_seen_ = true;
    const bool first = !added_;
    added_ = sink_.add(text_, first ? lastmod_ : "", line_);
    lastmod_set_ = added_ && first && !trim(lastmod_).empty();
    lastmod_.clear();
  } else if (name == "guid") {
    fallback_ = text_;
  } else if (added_ && !lastmod_set_) {
    sink_.set_lastmod(text_, line_);
    lastmod_set_ = !trim(text_).empty();
  } else if (!loc_seen_ && lastmod_.empty()) {
    lastmod_ = text_;
  }
}

void SitemapXml::close_top() {
  if (captured_depth_ == stack_.size() && captured_depth_ > 0) commit_capture();
  if (entry_depth_ == stack_.size() && entry_depth_ > 0) {
    const bool map =
        sink_.result.kind == SitemapKind::kUrlSet || sink_.result.kind == SitemapKind::kIndex;
    // A <sitemap> that holds its address without a <loc>; an item that has only a guid.
    const std::string_view other = trim_unicode(map ? bare_ : fallback_);
    if (!added_ && !loc_seen_ && starts_with_ignoring_case(other, "http"))
      added_ = sink_.add(other, lastmod_, line_);
    if (added_) sink_.result.entries.back().alternates = std::move(alternates_);
    alternates_.clear();
    entry_depth_ = 0;
  }
  stack_.pop_back();
}

void SitemapXml::end_element(std::string_view name) {
  name = trim(name);
  const std::size_t colon = name.find(':');
  const std::string prefix(colon == std::string_view::npos ? "" : name.substr(0, colon));
  const std::string local =
      to_ascii_lower(colon == std::string_view::npos ? name : name.substr(colon + 1));
  if (depth_beyond_ > 0) {
    --depth_beyond_;
    return;
  }
  std::size_t at = stack_.size();
  while (at > 0 && (stack_[at - 1].name != local || stack_[at - 1].prefix != prefix)) --at;
  if (at == 0) return;  // closes nothing that is open
  while (stack_.size() >= at) close_top();
}

void SitemapXml::finish(bool whole) {
  if (!over_ && whole && state_ == State::kTag && token_.starts_with('/') && captured_depth_ > 0)
    commit_capture();  // the file ends inside the end tag: the value itself is complete
  if (!whole && !judge_->failed) return;
  judge({}, true);
  if (!judge_->failed) return;
  sink_.result.well_formed = false;
  sink_.find(SitemapFault::kNotWellFormed, XML_GetCurrentLineNumber(judge_->parser),
             XML_ErrorString(XML_GetErrorCode(judge_->parser)));
}

}  // namespace periplus
