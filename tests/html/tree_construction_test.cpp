// The facts of pages against the trees that html5lib-tests/tree-construction expects: links, titles
// in the head, base.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "html/page_reader.h"
#include "testdata.h"

namespace periplus {
namespace {

struct TreeCase {
  std::string data;
  std::string document;
  bool fragment = false;
  bool script_on = false;
};

struct TreeFacts {
  std::vector<std::string> links;
  std::vector<std::string> titles;
  std::string base;
  std::size_t anchors = 0;  // a elements with or without href
  std::size_t headings = 0;
  std::size_t images = 0;
  std::size_t controls = 0;  // input (not hidden), select, textarea, button, iframe
};

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<TreeCase> read_cases(const std::string& path) {
  const std::string all = read_file(path);
  std::vector<TreeCase> cases;
  std::string* part = nullptr;
  std::size_t at = 0;
  while (at < all.size()) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (line == "#data") {
      cases.emplace_back();
      part = &cases.back().data;
    } else if (line == "#document") {
      part = &cases.back().document;
    } else if (line == "#errors" || line == "#new-errors") {
      part = nullptr;
    } else if (line == "#document-fragment") {
      cases.back().fragment = true;
      part = nullptr;
    } else if (line == "#script-on") {
      cases.back().script_on = true;
    } else if (line == "#script-off") {
      part = nullptr;
    } else if (part != nullptr) {
      part->append(line).append("\n");
    }
  }
  for (TreeCase& one : cases) {
    if (!one.data.empty()) one.data.pop_back();
  }
  return cases;
}

// The facts in an expected tree, read line by line; what stands below a template is none.
TreeFacts facts_of_tree(const std::string& document) {
  TreeFacts facts;
  struct Node {
    std::size_t depth;
    std::string name;
  };
  std::vector<Node> path;
  std::size_t at = 0;
  std::string text;
  while (at < document.size()) {
    if (document.compare(at, 2, "| ") != 0) {
      at = document.find('\n', at) + 1;
      continue;
    }
    std::size_t end = document.find("\n| ", at);
    end = end == std::string::npos ? document.size() - 1 : end;
    std::string line = document.substr(at + 2, end - at - 2);
    at = end + 1;
    while (line.ends_with('\n') && line.size() > 1 && line[line.size() - 2] == '"') line.pop_back();
    std::size_t depth = 0;
    while (depth < line.size() && line[depth] == ' ') ++depth;
    line.erase(0, depth);
    while (!path.empty() && path.back().depth >= depth) path.pop_back();
    const auto inside = [&](std::string_view name) {
      return std::any_of(path.begin(), path.end(),
                         [&](const Node& node) { return node.name == name; });
    };
    const std::string parent = path.empty() ? "" : path.back().name;
    if (line.starts_with("<") && !line.starts_with("<!")) {
      const std::string name = line.substr(1, line.rfind('>') - 1);
      if (!inside("template")) {
        facts.anchors += name == "a";
        facts.headings += is_one_of(name, {"h1", "h2", "h3", "h4", "h5", "h6"});
        facts.images += name == "img";
        facts.controls += is_one_of(name, {"input", "select", "textarea", "button", "iframe"});
      }
      path.push_back({depth, name});
      if (path.back().name == "title" && parent == "head") facts.titles.emplace_back();
      continue;
    }
    if (inside("template")) continue;
    if (parent == "input" && equal_ignoring_case(line, "type=\"hidden\"")) --facts.controls;
    if (line.starts_with("href=\"")) {
      const std::string value = line.substr(6, line.size() - 7);
      if (parent == "a" || parent == "area") facts.links.push_back(value);
      if (parent == "base" && facts.base.empty()) facts.base = value;
    } else if (line.starts_with("src=\"") && (parent == "frame" || parent == "iframe")) {
      facts.links.push_back(line.substr(5, line.size() - 6));
    } else if (line.starts_with('"') && parent == "title" && path.size() > 1 &&
               path[path.size() - 2].name == "head") {
      facts.titles.back() = line.substr(1, line.size() - 2);
    }
  }
  return facts;
}

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
    if (!space) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

TreeFacts facts_of_page(const std::string& data) {
  PageFacts page;
  read_page({.bytes = data, .content_type = "text/html; charset=utf-8"}, &page);
  TreeFacts facts;
  for (const Link& link : page.links) {
    if (link.has_href) facts.links.emplace_back(link.href);
  }
  for (const Title& title : page.titles) {
    if (title.in_head) facts.titles.emplace_back(title.text);
  }
  facts.base = page.base_href;
  facts.headings = page.headings.size();
  facts.images = page.images.size();
  facts.controls = page.controls.size();
  return facts;
}

constexpr const char* kFiles[] = {"adoption01",
                                  "adoption02",
                                  "blocks",
                                  "comments01",
                                  "doctype01",
                                  "domjs-unsafe",
                                  "entities01",
                                  "entities02",
                                  "html5test-com",
                                  "inbody01",
                                  "isindex",
                                  "main-element",
                                  "math",
                                  "menuitem-element",
                                  "namespace-sensitivity",
                                  "noscript01",
                                  "pending-spec-changes-plain-text-unsafe",
                                  "pending-spec-changes",
                                  "plain-text-unsafe",
                                  "quirks01",
                                  "ruby",
                                  "scriptdata01",
                                  "search-element",
                                  "svg",
                                  "tables01",
                                  "template",
                                  "tests1",
                                  "tests10",
                                  "tests11",
                                  "tests12",
                                  "tests14",
                                  "tests15",
                                  "tests16",
                                  "tests17",
                                  "tests18",
                                  "tests19",
                                  "tests2",
                                  "tests20",
                                  "tests21",
                                  "tests22",
                                  "tests23",
                                  "tests24",
                                  "tests25",
                                  "tests26",
                                  "tests3",
                                  "tests4",
                                  "tests5",
                                  "tests6",
                                  "tests7",
                                  "tests8",
                                  "tests9",
                                  "tests_innerHTML_1",
                                  "tricky01",
                                  "void-in-phrasing",
                                  "webkit01",
                                  "webkit02"};

TEST(TreeConstruction, LinksTitlesAndBaseAreThoseOfTheTree) {
  const std::string first = PERIPLUS_NEEDS_TESTDATA("html5lib-tests/tree-construction/tests1.dat");
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  int compared = 0;
  for (const char* file : kFiles) {
    for (const TreeCase& one : read_cases(folder + file + ".dat")) {
      if (one.fragment || one.script_on) continue;
      ++compared;
      TreeFacts expected = facts_of_tree(one.document);
      TreeFacts found = facts_of_page(one.data);
      for (std::string& title : expected.titles) title = folded(title);
      // A tree's order is not the source's where parts are moved before a table.
      std::sort(expected.links.begin(), expected.links.end());
      std::sort(found.links.begin(), found.links.end());
      const bool same = expected.links == found.links && expected.titles == found.titles &&
                        expected.base == found.base && expected.headings == found.headings &&
                        expected.images == found.images && expected.controls == found.controls;
      EXPECT_TRUE(same) << file << ": " << one.data << "\nlinks "
                        << testing::PrintToString(found.links) << "\n for  "
                        << testing::PrintToString(expected.links) << "\ntitles "
                        << testing::PrintToString(found.titles) << "\n for   "
                        << testing::PrintToString(expected.titles) << "\n"
                        << one.document;
    }
  }
  EXPECT_EQ(compared, 1592);
}

// "<a" becomes "<a href=x": every a element of the tree is then a link of ours, those that the
// adoption agency and the reopening of formatting elements add included.
std::string with_hrefs(const std::string& data) {
  std::string out;
  for (std::size_t i = 0; i < data.size(); ++i) {
    out.push_back(data[i]);
    const bool tag = i > 0 && data[i - 1] == '<' && (data[i] == 'a' || data[i] == 'A') &&
                     i + 1 < data.size() && (data[i + 1] == '>' || data[i + 1] == ' ');
    if (tag) out.append(" href=x ");
  }
  return out;
}

TEST(TreeConstruction, EveryAnchorOfTheTreeIsALink) {
  const std::string first = PERIPLUS_NEEDS_TESTDATA("html5lib-tests/tree-construction/tests1.dat");
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  std::size_t with_anchors = 0;
  for (const char* file : kFiles) {
    for (const TreeCase& one : read_cases(folder + file + ".dat")) {
      if (one.fragment || one.script_on) continue;
      const std::size_t expected = facts_of_tree(one.document).anchors;
      const std::string data = with_hrefs(one.data);
      const TreeFacts page = facts_of_page(data);
      const auto found = static_cast<std::size_t>(
          std::count(page.links.begin(), page.links.end(), std::string("x")));
      with_anchors += expected != 0;
      EXPECT_EQ(found, expected) << file << ": " << data << "\n" << one.document;
    }
  }
  EXPECT_EQ(with_anchors, 44U);
}

}  // namespace
}  // namespace periplus
