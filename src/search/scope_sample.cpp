#include "search/scope.h"

namespace periplus {

std::string sample_scope() {
  return R"(# What this search engine is about. Every page gets points; by their sum it is in, unsure or out.
# 'periplus scope explain URL' shows each point; 'periplus scope test FILE' measures this file on
# pages that you labelled; 'periplus scope diff OLD NEW FILE' shows what a change would move.

name = "My region"
seeds = []            # where the crawl begins: ["https://www.example.org/"]

[verdict]
in = 6                # points from which a page is in
unsure = 3            # from here on a few pages of its site are read before it is decided

[limits]
pages_per_site = 5000
pages_unsure_site = 10
new_sites_per_day = 1000
hops = 1              # sites out of scope that a path from a seed may cross

[sites]               # domains, with every host under them; also always_file, never_file: one a line
always = []
never = []

[domain]              # the end of a host name
suffixes = []         # [".mt"]
points = 6

# [[language]]        # what the text itself is written in
# code = "mt"
# points = 5
# least_share = 20    # percent of the letters
# least_letters = 200 # shorter texts say nothing

[declared]            # what the page claims: lang, Content-Language, schema.org addressCountry
languages = []        # ["mt"]
countries = []        # ["MT", "Malta"]
points = 3

# [[group]]           # rules that count together
# id = "contact"
# most = 6            # points of the group at most
# at_least = 2        # rules of it that must match, else none counts

# [[rule]]
# id = "telephone"
# points = 3          # below zero speaks against the page
# patterns = ['\+356[ 0-9]{8,11}\b']   # RE2; in single quotes nothing needs escaping
# words = []          # or word sequences, whatever their case and accents
# where = ["title", "headings", "description", "text"]   # also "url", "links" (words of links to it)
# at_least = 1        # different matches needed
# each = false        # true: points for each different match, up to 'most'
# most = 20
# near_names = 0      # a match counts at most so many words from a name of the gazetteer; 0: anywhere
# hides = false       # true: the words it matches are seen by no other rule and no name
# group = "contact"

[gazetteer]           # names of places, people, institutions
# file = "gazetteer.tsv"   # lines of: points, tab, name, tab, variant, tab, variant …
names = []            # the same lines here: ["3\tBirkirkara\tB'Kara"]
most = 6              # points of all names together at most
alone = 1             # a name of fewer points counts only beside one of at least so many
every = 400           # a name counts in full in title, heading or address, or when it comes once,
thin = 0.5            # and once more for each so many words of the page; else by this factor

[links]
points = 4            # times the share of links that come from sites in scope
at_least = 3          # judged links, before that says anything
word_points = 1       # for link words that hold a name
)";
}

}  // namespace periplus
