// The XML forms of sitemaps. Two readers see the same UTF-8: expat, which only judges whether it is
// well-formed, and a tolerant scanner, which finds the addresses and never gives up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "robots/sitemap_sink.h"

namespace periplus {

class SitemapXml {
 public:
  SitemapXml(SitemapSink* sink, std::uint64_t first_line);
  ~SitemapXml();
  void feed(std::string_view utf8);
  void finish(bool whole);  // `whole`: the input came to its end

 private:
  enum class State : std::uint8_t {
    kText,
    kOpen,  // behind '<'
    kTag,
    kQuoted,
    kMarkup,  // behind "<!"
    kComment,
    kCdata,
    kDoctype,
    kInstruction,
  };
  struct Element {
    std::string name;  // lower case, without prefix
    std::string prefix;
  };

  void step(char c);
  void end_text();
  void end_markup();
  void start_element(std::string_view tag);
  void end_element(std::string_view name);
  void close_top();
  void commit_capture();
  bool is_entry(const Element& element) const;
  void note_alternate(std::string_view tag);
  std::string decode(std::string_view raw);
  void judge(std::string_view utf8, bool last);

  SitemapSink& sink_;
  struct Judge;
  std::unique_ptr<Judge> judge_;
  State state_ = State::kText;
  std::uint64_t line_;
  char quote_ = 0;
  int brackets_ = 0;
  std::string token_;  // of the tag or markup being read
  std::string raw_;    // character data since the last markup
  std::string text_;   // of the element captured, decoded
  std::vector<Element> stack_;
  std::size_t depth_beyond_ = 0;    // elements deeper than the stack is kept
  std::size_t captured_depth_ = 0;  // of the element whose text is wanted; 0 = none
  bool doctype_seen_ = false;
  bool spoilt_ = false;  // the captured text holds an entity that is not expanded
  bool over_ = false;    // nothing more to find (not a sitemap)
  // Of the entry (url, sitemap, item, entry) being read:
  std::size_t entry_depth_ = 0;
  bool added_ = false, loc_seen_ = false, lastmod_set_ = false;
  std::string lastmod_, fallback_, bare_;
  std::vector<SitemapAlternate> alternates_;
};

}  // namespace periplus
