// Answers of protection products in other shapes than the collection has.
#include <gtest/gtest.h>

#include "http/bot_wall_verdict.h"

namespace periplus {
namespace {

TEST(BotWall, VariantsOfTheVendorsAreRecognised) {
  check({
      {"Cloudflare with status 200 and no header of theirs",
       200,
       {},
       "<title>Just a moment...</title><script>window._cf_chl_opt = {cType: "
       "'interactive'};</script>",
       "cloudflare challenge"},
      {"Cloudflare in another language",
       403,
       {{"Server", "cloudflare"}, {"CF-RAY", "7-A"}},
       "<title>Nur einen Moment\xe2\x80\xa6</title><script>window._cf_chl_opt={};</script>",
       "cloudflare challenge"},
      {"Cloudflare captcha of old",
       403,
       {{"server", "cloudflare"}},
       "<title>Attention Required! | Cloudflare</title><h1>One more step</h1><h2>Please complete "
       "the security check to access www.example.com</h2><div class=cf-captcha-container></div>",
       "cloudflare challenge"},
      {"Cloudflare blocked",
       403,
       {{"server", "cloudflare"}},
       "<title>Attention Required! | Cloudflare</title><div id='cf-error-details'><h1>Sorry, you "
       "have been blocked</h1><h2>You are unable to access example.com</h2></div>",
       "cloudflare block"},
      {"Cloudflare 1009",
       403,
       {{"cf-ray", "7-A"}},
       "<div id=cf-error-details><h1><span>Error</span><span>1009</span></h1>Access denied</div>",
       "cloudflare block"},
      {"Cloudflare rate limit in plain text",
       429,
       {{"server", "cloudflare"}},
       "error code: 1015\n",
       "cloudflare rate-limit"},
      {"Cloudflare rate limit as JSON",
       429,
       {{"server", "cloudflare"}},
       "{\"title\":\"Error 1015: You are being rate limited\",\"error_code\":1015,"
       "\"cloudflare_error\":true}",
       "cloudflare rate-limit"},
      {"AWS with an empty body", 405, {{"X-Amzn-Waf-Action", "captcha"}}, "", "aws-waf challenge"},
      {"AWS without the field",
       202,
       {},
       "<script>window.gokuProps = {\"key\":\"a\"};</script><script "
       "src=\"https://a.b.token.awswaf."
       "com/a/b/challenge.js\"></script><div id=\"challenge-container\"></div>",
       "aws-waf challenge"},
      {"Amazon's letters",
       200,
       {},
       "<title>Amazon.com</title><h4>Enter the characters you see below</h4><p>Sorry, we just "
       "need "
       "to make sure you're not a robot.</p><form action=\"/errors/validateCaptcha\"></form>",
       "amazon challenge"},
      {"Akamai with decimal references",
       403,
       {{"Server", "AkamaiGHost"}},
       "<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don&#39;t have permission to "
       "access "
       "\"x\" on this server.<P>Reference&#32;&#35;18&#46;1",
       "akamai block"},
      {"Akamai proof of work",
       428,
       {},
       "{\"sec-cp-challenge\": \"true\", \"provider\": \"crypto\", \"branding_url_content\": "
       "\"/_sec/"
       "cp_challenge/crypto_message-4-3.htm\"}",
       "akamai challenge"},
      {"DataDome without its headers",
       403,
       {},
       "<title>example.com</title><script>var dd = {\"rt\":\"i\",\"t\": \"fe\",\"host\":"
       "\"geo.captcha-delivery.com\"}</script>",
       "datadome challenge"},
      {"DataDome banned, JSON",
       403,
       {{"x-datadome", "protected"}},
       "{\"url\":\"https:\\/\\/geo.captcha-delivery.com\\/captcha\\/?cid=x&t=bv\"}",
       "datadome block"},
      {"DataDome interstitial",
       403,
       {{"X-DataDome", "protected"}, {"X-DD-B", "2"}},
       "",
       "datadome challenge"},
      {"Imperva, 403 with the challenge",
       403,
       {},
       "<iframe id=\"main-iframe\" src=\"/_Incapsula_Resource?SWUDNSAI=9&amp;incident_id=1-2&amp;"
       "edet=12&amp;cinfo=0\">Request unsuccessful. Incapsula incident ID: 1-2</iframe>",
       "imperva challenge"},
      {"Imperva's newer error page",
       403,
       {},
       "<title>Access denied</title><p>Error 15</p><p>This request was blocked by our security "
       "service</p><p>Incident ID: 1-2</p><p>Powered by Imperva</p>",
       "imperva block"},
      {"Pardon our interruption",
       200,
       {},
       "<title>Pardon Our Interruption</title><h1>Pardon Our Interruption</h1><p>As you were "
       "browsing something about your browser made us think you were a bot.</p>",
       "imperva challenge"},
      {"HUMAN as JSON",
       403,
       {},
       "{\"appId\":\"PXabcd\",\"jsClientSrc\":\"/abcd/init.js\",\"vid\":\"\",\"uuid\":\"1\","
       "\"hostUrl\":\"/abcd/xhr\",\"blockScript\":\"/abcd/captcha/captcha.js?a=c&u=1\"}",
       "human challenge"},
      {"HUMAN without a puzzle",
       403,
       {},
       "<title>Access to this page has been denied.</title><p>Access to this page has been "
       "denied "
       "because we believe you are using automation tools to browse the website.</p>",
       "human block"},
      {"Kasada, 403",
       403,
       {{"X-Kpsdk-Ct", "a"}, {"content-type", "application/json"}},
       "{}",
       "kasada challenge"},
      {"Vercel denied", 403, {{"x-vercel-mitigated", "deny"}}, "Forbidden", "vercel block"},
      {"Vercel's page alone",
       429,
       {},
       "<title>Vercel Security Checkpoint</title>",
       "vercel challenge"},
      {"Sucuri's page without headers",
       403,
       {},
       "<title>Sucuri WebSite Firewall - CloudProxy - Access Denied</title><h2>Access Denied - "
       "Sucuri Website Firewall</h2>",
       "sucuri block"},
      {"DDoS-Guard, script from outside",
       403,
       {{"server", "ddos-guard"}},
       "<script>new Image().src='/.well-known/ddos-guard/id/1';</script><script "
       "src=\"https://check."
       "ddos-guard.net/check.js\"></script>",
       "ddos-guard challenge"},
      {"F5 with status 200",
       200,
       {{"set-cookie", "TS01=1"}},
       "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. "
       "Please consult with your administrator.<br><br>Your support ID is: 1234</body></html>",
       "f5 block"},
      {"F5 puzzle",
       200,
       {},
       "<script>window[\"bobcmn\"] = \"1\";</script><script src=\"/TSPD/08a?type=9\"></script>"
       "<noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 1.",
       "f5 challenge"},
      {"Reblaze",
       247,
       {{"Set-Cookie", "rbzid=a"}},
       "<script>window.rbzns={bereshit: \"1\"};</script>",
       "reblaze challenge"},
      {"Reblaze blocked",
       403,
       {},
       "<h1>Access Denied (403)</h1><p>Your current session has been terminated. Do not hesitate "
       "to "
       "contact us.</p>",
       "reblaze block"},
      {"Wordfence",
       503,
       {},
       "<title>Your access to this site has been limited</title><h1>Your access to this site has "
       "been limited by the site owner</h1><p>Generated by Wordfence at Tue, 1 Dec 2026</p>",
       "wordfence block"},
      {"Wordfence, too fast",
       503,
       {},
       "<h1>Your access to this site has been limited</h1><p>Block Reason: Exceeded the maximum "
       "number of requests per minute for crawlers.</p><p>Generated by Wordfence at noon</p>",
       "wordfence rate-limit"},
      {"Queue-it",
       302,
       {{"Location", "https://shop.queue-it.net/?c=shop&e=sale"}},
       "",
       "queue-it rate-limit"},
      {"Qrator",
       401,
       {{"Server", "QRATOR"}},
       "<script src=\"/__qrator/qauth_utm_v2.js\"></script>",
       "qrator challenge"},
      {"Variti",
       503,
       {{"Server", "Variti/0.9.3a"}},
       "<script src=\"/check.js\"></script>",
       "variti challenge"},
      {"Anubis in German",
       200,
       {},
       "<title>Ich stelle sicher, dass du kein Bot bist!</title><script id=anubis_challenge>{}"
       "</script><script "
       "src=\"/x/.within.website/x/cmd/anubis/static/js/main.mjs?v=1\"></script>",
       "anubis challenge"},
      {"Anubis without JavaScript",
       200,
       {},
       "<meta http-equiv=\"refresh\" content=\"2; url=/.within.website/x/cmd/anubis/api/pass-"
       "challenge?id=1\"><p>Wait</p>",
       "anubis challenge"},
      {"Fastly",
       200,
       {},
       "<title>Client Challenge</title><script "
       "src=\"/_fs-ch-1T1wmsGaOgGaSxcX/script.js\"></script>",
       "fastly challenge"},
      {"Radware",
       302,
       {{"location", "https://validate.perfdrive.com/abc?ssa=1"}},
       "",
       "radware challenge"},
      {"Google sorry",
       429,
       {},
       "<title>Sorry...</title>Our systems have detected unusual traffic from your computer "
       "network.",
       "google challenge"},
      {"Alibaba",
       200,
       {},
       "<html><script>var arg1='0A';var _c='acw_sc__v2';</script></html>",
       "alibaba challenge"},
      {"Imunify360",
       403,
       {},
       "{\"message\":\"Access denied by Imunify360 bot-protection. IPs used for automation "
       "should "
       "be "
       "whitelisted\"}",
       "imunify360 block"},
      {"SiteGround",
       202,
       {},
       "<meta http-equiv=refresh content=\"0;/.well-known/sgcaptcha/?r=%2F&y=ipc:1\">",
       "siteground challenge"},
      {"LinkedIn", 999, {}, "<script>window.onload=1</script>", "linkedin block"},
  });
}

}  // namespace
}  // namespace periplus
