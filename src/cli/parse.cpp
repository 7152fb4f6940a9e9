#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/options.h"
#include "cli/version.h"

namespace periplus {
namespace {

constexpr std::string_view kFooter = R"(Exit codes:
  0 done · 1 gate failed · 2 usage, configuration or input · 3 site unreachable
  4 kept out by robots.txt · 5 stopped by bot protection · 6 too soon (says when)
  70 internal fault

Results go to stdout, talk to stderr. NO_COLOR is respected.)";

// The first word that could be a command and is none; empty when there is a command, or no word at
// all.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-')) {
      // "--home DIR": the next word is its value.
      const CLI::Option* option = app.get_option_no_throw(word);
      if (option != nullptr && option->get_expected_max() > 0) ++i;
      continue;
    }
    const bool known =
        !app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; }).empty();
    return known ? "" : without_controls(word);
  }
  return {};
}

}  // namespace

ParseOutcome parse_command_line(int argc, char** argv) {
  ParseOutcome out;
  Options& o = out.options;
  CLI::App app{
      "Periplus, a polite web crawler: reads a site, judges it, and can prove how it behaved.",
      "periplus"};
  app.footer(std::string(kFooter));
  app.set_version_flag("--version", std::string(kVersion));
  app.require_subcommand(1);
  app.fallthrough();  // global options may stand before or after the command
  app.option_defaults()->always_capture_default(false);

  app.add_option("--home", o.home,
                 "The home: store, keys, settings ($PERIPLUS_HOME, else ./periplus-home)")
      ->type_name("DIR");
  app.add_option("--config", o.config, "Settings instead of HOME/periplus.toml")->type_name("FILE");
  app.add_option("--allow-private", o.allow_private,
                 "One's own host that may have a private address and any port")
      ->type_name("HOST")
      ->expected(1)
      ->take_all();
  app.add_option("--psl", o.psl, "A newer Public Suffix List")->type_name("FILE");
  app.add_option("--ca-file", o.ca_file, "Certificates to trust instead of the system's")
      ->type_name("FILE");
  app.add_option("--dns", o.dns, "Name server instead of the system's")
      ->type_name("ADDR:PORT")
      ->expected(1)
      ->take_all();
  app.add_flag("--json", o.json, "One JSON object on stdout");
  app.add_flag("--quiet", o.quiet, "No progress, no talk");
  app.add_flag("--verbose", o.verbose, "Every decision on stderr");

  const auto command = [&](CLI::App& parent, const std::string& name, const std::string& help) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->fallthrough();
    return sub;
  };

  CLI::App* audit = command(app, "audit", "Read one site politely, judge it, and write a report");
  audit->add_option("URL", o.url, "The site's start page; https:// is taken for granted")
      ->required();
  audit->add_option("--pages", o.pages, "Pages to read at most (100)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1'000'000U));
  audit->add_option("--out", o.out, "Where reports go (HOME/reports/SITE)")->type_name("DIR");
  audit->add_option("--format", o.formats, "html,json,csv: which report files to write (html,json)")
      ->type_name("LIST");
  audit
      ->add_option("--fail-under", o.fail_under, "Exit 1 when the score is lower, or there is none")
      ->type_name("N")
      ->check(CLI::Range(0.0, 100.0));
  audit
      ->add_option("--fail-on", o.fail_on,
                   "Exit 1 when this rule, or a rule of this severity or worse, fails")
      ->type_name("RULE|SEVERITY")
      ->expected(1)
      ->take_all();
  audit
      ->add_option("--floor", o.floor,
                   "Least wait between requests (2s); 0 only for one's own hosts")
      ->type_name("TIME");
  audit->add_option("--lanes", o.lanes, "Requests at once, 1 to 3 (3)")
      ->type_name("N")
      ->check(CLI::Range(1, 3));
  audit->add_flag("--record-only", o.record_only, "Read and record, write no report");

  CLI::App* rules = command(app, "rules", "The rulebook, or one rule explained");
  rules->add_option("RULE", o.url, "A rule's id");

  CLI::App* robots = command(app, "robots", "Which line of robots.txt decides about an address");
  robots->add_option("URL", o.url, "The page's address")->required();
  robots->add_option("--agent", o.agent, "Product token to judge for (our own)")
      ->type_name("TOKEN");
  robots
      ->add_option("--file", o.file, "A robots.txt here, instead of the site's own ('-' for stdin)")
      ->type_name("FILE");

  CLI::App* explain =
      command(app, "explain", "Every decision about one address, in order, each with its reason");
  explain->add_option("URL", o.url, "The address")->required();

  CLI::App* fetch =
      command(app, "fetch", "Fetch one address as a visit would, and tell how it went");
  fetch->add_option("URL", o.url, "The address")->required();
  fetch->add_flag("--body", o.body, "Print the body too");

  CLI::App* url = command(app, "url", "Parse and resolve an address (WHATWG URL Standard)");
  url->add_option("URL", o.url, "The address")->required();
  url->add_option("--base", o.base, "Resolve against this one")->type_name("URL");

  CLI::App* read = command(app, "read", "The facts of a page given as bytes; no network");
  read->add_option("FILE", o.url, "The page, '-' for stdin")->required();
  read->add_option("--url", o.page_url, "Its address, to resolve links")->type_name("URL");
  read->add_option("--content-type", o.content_type, "Its Content-Type header")->type_name("TYPE");

  CLI::App* keys = command(app, "keys", "The key that signs our requests");
  keys->require_subcommand(1);
  command(*keys, "new", "Make the home's first key");
  command(*keys, "show", "The current key, its thumbprint, and the directory to serve");
  command(*keys, "rotate", "Make a new key current; the old one stays in the directory");

  CLI::App* scope = command(app, "scope", "What a search engine is about, by scope.toml");
  scope->require_subcommand(1);
  scope->add_option("--scope", o.scope, "A scope file instead of HOME/scope.toml")
      ->type_name("FILE");
  CLI::App* scope_explain =
      command(*scope, "explain", "Every point of the verdict on one page, fetched or from a file");
  scope_explain->add_option("URL|FILE", o.url, "The page; '-' for stdin")->required();
  scope_explain->add_option("--url", o.page_url, "The address of a page from a file")
      ->type_name("URL");
  scope_explain->add_option("--content-type", o.content_type, "Its Content-Type header")
      ->type_name("TYPE");
  CLI::App* scope_test =
      command(*scope, "test", "Precision, recall and mistakes on pages that you labelled");
  scope_test->add_option("LABELLED", o.url, "JSON lines; '-' for stdin")->required();
  scope_test->add_option("--half", o.half, "tune or held-out: only one half of the pages")
      ->type_name("HALF")
      ->check(CLI::IsMember({"tune", "held-out"}));
  CLI::App* scope_diff =
      command(*scope, "diff", "What a changed scope file would add or drop; changes nothing");
  scope_diff->add_option("OLD", o.old_scope, "The scope file as it is")->required();
  scope_diff->add_option("NEW", o.new_scope, "The changed one")->required();
  scope_diff->add_option("LABELLED|home", o.url, "Labelled pages, or what the home knows")
      ->required();

  command(app, "init", "Make a home with a commented periplus.toml and scope.toml");
  command(app, "doctor", "What is wrong with this home, if anything");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    out.exit_code = app.exit(success);
    return out;
  } catch (const CLI::ParseError& error) {
    if (const std::string word = unknown_command(app, argc, argv); !word.empty()) {
      out.exit_code =
          complain({ErrorKind::kUsage,
                    "there is no command of that name; 'periplus --help' lists them", word});
      return out;
    }
    out.exit_code = complain({ErrorKind::kUsage, error.what(), ""});
    std::fputs("Try 'periplus --help' or 'periplus COMMAND --help'.\n", stderr);
    return out;
  }
  const CLI::App* chosen = app.get_subcommands().front();
  o.command = chosen->get_name();
  if (!chosen->get_subcommands().empty())
    o.command += " " + chosen->get_subcommands().front()->get_name();
  if (o.home.empty()) {
    const char* home = std::getenv("PERIPLUS_HOME");
    o.home = home != nullptr && *home != '\0' ? home : "periplus-home";
  }
  return out;
}

}  // namespace periplus
