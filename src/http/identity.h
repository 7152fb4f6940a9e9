// Who we say we are: one identity per home, on every request, never another.
#pragma once

#include <string>

namespace periplus {

struct Identity {
  std::string token = "Periplus";  // the robots.txt product token: letters, '-' and '_'
  std::string version = "0.1.0";
  std::string info_url = "https://periplus.example/bot";  // a page that explains the bot
  std::string signature_agent;  // https origin of the key directory; empty = not announced
  // "Token/version (+https://operator/bot)"
  std::string user_agent() const { return token + "/" + version + " (+" + info_url + ")"; }
};

}  // namespace periplus
