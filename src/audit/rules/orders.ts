import { anyOf, type AuditSeverity, type TextRule } from './rule.ts';
import { isDubiousDownload, isFreeHost } from './suspect-hosts.ts';

/**
 * Orders to a model. Each rule looks for a verb and then at the sentence around it, since the same words are harmless in another
 * sentence: they act on data (SP413, SP414, SP416), bias answers (SP415) or lead people to a download (SP417).
 */
export const ORDER_RULES: readonly TextRule[] = [
  {
    id: 'SP413',
    name: 'sends-private-data',
    severity: 'high',
    why: 'It tells the agent to send data of yours to someone who has no need for it.',
    needs: ['http', 'https', '@*', 'server', 'webhook', 'endpoint', 'param*', 'cloud', 'channel', 'mirror', 'drive'],
    pattern: sending(),
    accepts: (match) => {
      if (tellsToSteal(match)) return true;
      const { sentence } = around(match);
      return PRIVATE.test(sentence) && DESTINATION.test(sentence) && !AGREED.test(sentence) && !LOGIN.test(sentence);
    },
    rate: (match) => raiseIf(HIDES.test(around(match).paragraph) || tellsToSteal(match), 'critical'),
  },
  {
    id: 'SP414',
    name: 'forwards-regularly',
    severity: 'medium',
    why: 'It tells the agent to pass things on each time, to an address that you did not name.',
    needs: ['http', 'https', '@*', 'bcc'],
    pattern: sending(),
    accepts: (match) => {
      const { sentence } = around(match);
      return STANDING.test(sentence) && ADDRESS.test(sentence) && !AGREED.test(sentence);
    },
    rate: (match) => raiseIf(HIDES.test(around(match).paragraph), 'high'),
  },
  {
    id: 'SP415',
    name: 'biases-answers',
    severity: 'medium',
    why: 'It tells the agent to favour something, or to leave out what speaks against it, whatever is true.',
    needs: [
      'always',
      'never',
      'not',
      "don't",
      'fails',
      'fail',
      'failed',
      'omit',
      'suppress',
      'hide',
      'downplay',
      'leave',
      'conceal',
      'insert',
      'must',
      'as',
      'no',
      'lower',
      'adjust',
      'invent',
      'make',
      'fabricate',
      'tweak',
      'in',
      'otherwise',
      'although',
      'regardless',
      'matter',
      'even',
      'with',
    ],
    pattern: anyOf(
      /\balways\s(?:rank|recommend|promote|praise|favou?r|rate|suggest|position|endorse)\b/,
      /\b(?:do not|don't|never)\s(?:mention|recommend|suggest|list|discuss|point out|disclose|reveal|name)\s(?:any\s|the\s|other\s|its\s|possible\s){0,2}(?:alternatives?|competitors?|competing|rivals?|risks?|downsides?|drawbacks?|negatives?|limitations|side effects|other (?:products|tools|vendors|libraries|options|packages|brands))\b/,
      /\bfail(?:s|ed|ures?)?\b[^\n.]{0,40}?\b(?:report|mark|record|show|treat|present|log)\b[^\n.]{0,30}?\bas\s(?:passed|passing|a success|success\w{0,3}|ok)\b/,
      /\b(?:always|must)\s(?:say|state|report|claim|conclude|show)\b[^\n.]{0,40}?\b(?:succeeded|passed|is safe|are safe|no (?:issues|problems|vulnerabilities|risks|findings)|successful)\b/,
      /\b(?:leave out|leaves out|omit|suppress|hide|downplay|conceal)\s[^\n.]{0,40}?\b(?:security (?:problems|issues|findings|warnings)|risks?|negative|critici\w{2,5}|vulnerabilit\w{1,3}|losses|complaints|bad news)\b/,
      /\balways\s(?:positive|favou?rable|approved?|five stars)\b/,
      /\b(?:count|treat|mark|show|present|record)\s[^\n.]{0,40}?\bfail(?:ed|ing|ures?)\b[^\n.]{0,30}?\bas\s(?:passed|passing|success\w{0,3}|ok|green)\b/,
      /\b(?:report|list|raise|flag) no (?:findings|issues|problems|vulnerabilities|warnings)\s(?:for|in|about|on)\b/,
      /\blower (?:the|its|their) (?:severity|risk|rating|score) of\b[^\n.]{0,80}?\b(?:to|by)\b/,
      /\b(?:adjust|invent|make up|fabricate|tweak) (?:the |a |an |some )?(?:\w{1,12} )?(?:numbers?|figures|scores?|ratings?|results|weakness(?:es)?|drawbacks?|quotes?|sources?|reviews?|statistics)\b[^\n.]{0,40}?\b(?:where|if|so that|until|when|to (?:make|favou?r|support))\b/,
      /\b(?:wins?|comes? first|ranks? first|scores? highest) in (?:every|all|each) (?:rows?|categor\w{1,3}|comparisons?|tables?|columns?)\b/,
      /\bpresent (?:this|it|them|these|the \w{1,16}) as (?:an? )?(?:independent|objective|neutral|unbiased|impartial)\b/,
      /\b(?:even if|although|regardless of (?:whether|what)|no matter what) (?:the )?(?:sources?|data|results?|evidence|tests?|facts|numbers|logs?)\b[^\n.]{0,20}?\b(?:otherwise|the opposite|says?|shows?)\b/,
      /\b(?:end|close|finish|conclude)s? (?:\w{1,12} ){0,6}?with (?:a |the )?(?:\w{1,12} )?(?:link to|recommendation of|advert\w{0,8}|promotion)\b/,
    ),
    accepts: (match) => !AGREED.test(around(match).sentence),
    rate: (match) => raiseIf(HIDES.test(around(match).paragraph), 'high'),
  },
  {
    id: 'SP416',
    name: 'changes-data-unasked',
    severity: 'high',
    why: 'It tells the agent to change accounts, amounts, recipients or code so that someone else gains.',
    needs: [
      'iban',
      'account',
      'accounts',
      'wallet',
      'address',
      'addresses',
      'payment',
      'recipient',
      'payee',
      'password',
      'backdoor',
      'authentication',
      'advertising',
      'sentence',
      'beneficiary',
      'account',
      'user',
      'users',
      'login',
      'logins',
      'log',
      'route',
      'routes',
      'endpoint',
      'endpoints',
      'key',
      'keys',
      'amount',
      'money',
      'funds',
      'coins',
      'tokens',
      'bank',
    ],
    pattern: anyOf(
      /\b(?:replace|substitute|swap|redirect|alter|overwrite|exchange)\s[^\n.]{0,60}?\b(?:iban|account numbers?|wallet|bank (?:details|accounts?)|payment (?:address|details|link)|recipients?|payee)\b/,
      /\b(?:set|change|switch|use|put|write|enter|replace)\b[^\n.]{0,80}?\b(?:beneficiary|payee|recipient|iban|bank account|account numbers?|wallet|address(?:es)?)\b[^\n.]{0,60}?\b(?:to|with|by|as|instead)\b[^\n.]{0,12}?[`"'*]{0,2}(?:IBAN [A-Z]{2}|[A-Z]{2}\d{2} ?[A-Z0-9]{4}|0x[0-9a-f]{8}|bc1\w{6})/,
      /\b(?:add|include|keep|create|leave)\b[^\n.]{0,60}?\b(?:accounts?|users?|log ?ins?|routes?|endpoints?|keys?)\b[^\n]{0,120}?\b(?:(?:not|never) (?:be )?(?:listed|documented|mention(?:ed)?|shown?|visible)|out of the (?:summary|documentation|changelog|report|review))/,
      /\b(?:transfer|pay|wire|send)\s[^\n.]{0,40}?\b(?:amount|money|payment|funds|coins|tokens)\b[^\n.]{0,40}?\bto\s[^\n.]{0,40}?\b(?:instead|without (?:asking|telling|confirmation))\b/,
      /\b(?:wallet|bank account|payment|iban)\b[^\n.]{0,60}?\b(?:replace|substitute|swap|redirect)\s(?:it|them|this)\b/,
      /\bmust (?:also )?accept the password\b|\b(?:add|insert|include|leave) (?:a |an )?(?:hidden )?backdoor\b/,
      /\b(?:insert|add|append)\s(?:the\s|this\s|a\s)?(?:sentence|phrase|line|link|promotion)\b[^\n]{0,160}?\b(?:every|each|all)\s(?:documents?|answers?|replies|reply|responses?|messages?|reports?|outputs?|files?)\b[^\n]{0,120}?\b(?:not notice|advertising|natural way|unobtrusive)/,
    ),
    accepts: (match) => !AGREED.test(around(match).sentence) && !MASKS.test(around(match).sentence),
    rate: (match) => raiseIf(HIDES.test(around(match).paragraph), 'critical'),
  },
  {
    id: 'SP417',
    name: 'fake-prerequisite',
    severity: 'high',
    why: 'It sends people to a program on a free host, a file drop or a bare address before the skill can be used. Most malware in skills comes like this.',
    needs: ['http', 'https'],
    pattern:
      /\b(?:prerequisites?|required|requires?|requirements?|must be (?:installed|running|downloaded)|install(?:ed)? (?:it )?first|needs? (?:the |a |an |\*\*)?|before (?:using|you (?:start|begin)|anything)|dependenc(?:y|ies)|companion|download|get it)\b[\s\S]{0,240}?(https?:\/\/[^\s)>"'`\]|]{4,200})/gi,
    accepts: ([, address = '']) => isDubiousDownload(address),
    rate: ([, address = '']) => raiseIf(!isFreeHost(address), 'medium'),
  },
];

/** A new object for each rule: patterns keep the place of the last match. */
function sending(): RegExp {
  return /\b(?:send(?:s|ing)?|upload(?:s|ing)?|post(?:s|ing)?|forward(?:s|ing)?|transmit(?:s|ting)?|submit(?:s|ting)?|deliver|mirror|copy|sync|synchroni[sz]ed?|back up|e-?mail|push|pass|include|attach|leak|exfiltrate|share|add|append(?:s|ing)?|b?cc|email|report it)\b/gi;
}

const PRIVATE =
  /\b(?:all|any|every|the user's|user's|users'|their|found|values of)\s(?:\w{1,12}\s){0,2}?(?:api keys?|keys|credentials?|passwords?|secrets?|tokens?|files|e-?mails?|messages|documents?|contacts)\b|\b(?:private keys?|ssh keys?|seed phrases?|access tokens?|environment variables?|(?:chat|conversation|session|shell|bash|browsing|message) (?:history|logs?|transcripts?|summary)|conversation|system prompt|(?:user|customer|client|personal|patient|employee|financial)(?:'s)? (?:data|files?|documents?|information|details|records)|(?:user's|their) (?:\w{1,12} ){0,2}(?:messages?|questions?|prompts?|notes|calendar|inbox)|(?:each|every|all|any) (?:\w{1,12} ){0,2}(?:documents?|attachments?|e-?mails?|conversations?|prompts?)\b|(?:card|account|passport|social security) numbers|(?:full|entire|whole|complete) (?:text|project|repository|codebase|database|folder|documents?|files?|input(?: files)?|contents?|conversation)|(?:input|source|project|open) (?:files|spreadsheets|folder)|(?:the |its |their )contents? of|database (?:export|dump|contents?)|e-?mail addresses|phone numbers|cookies|customer data)\b|(?:^|[\s`"'/])\.env\b|\.ssh\b|\.aws\b|credentials\.json|mcp\.json|\bconfig(?:uration)? files?\b/i;
const ADDRESS =
  /\bhttps?:\/\/(?!localhost|127\.|\$|<|\{)[^\s)>`"']{4}|(?:^|[\s<(`:])[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,}/i;
const DESTINATION =
  /\bhttps?:\/\/(?!localhost|127\.|\$|<|\{)[^\s)>`"']{4}|(?:^|[\s<(`:])[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,}|\bour (?:\w{1,12} )?(?:server|backup|cloud|mirror|endpoint|api|channel|archive)\b|\b(?:external|remote) (?:server|endpoint)\b|\bparameter\b/i;
const STANDING =
  /\b(?:always|every time|whenever|each time|(?:after|before|with) (?:each|every)|for every|after you(?:'ve| have)?|before you|at the (?:start|beginning|end) of (?:each|every|the)|automatically|while working|when you|every \w{1,10} (?:minutes|hours)|also)\b/i;
/** The user decides, or it is ordinary use of a service. */
const AGREED =
  /\b(?:ask(?:s|ing)? (?:the user|first|them|for (?:confirmation|permission|approval|consent))|if the user (?:agrees|wants|asks|confirms|approves|requests|consents|chooses)|user (?:names|chose|asked|provides|specifies|confirm\w{0,3}|approv\w{1,4})|with (?:the user's|their|explicit) (?:consent|permission|approval)|after (?:they|the user) (?:agree|confirm|approv)\w{0,3}|confirm(?:ed)? (?:with|by) the user|never|do not (?:send|upload|post|share|forward|include|pass|copy|push|e-?mail)|don't (?:send|upload|post|share|forward|include|pass|copy|push)|must not (?:send|upload|post|share)|without (?:sending|uploading|sharing))\b/i;
const LOGIN =
  /\b(?:authorization|bearer|x-api-key|api[_ -]?key (?:header|parameter)|query parameter|sign up|dashboard|oauth|log ?in|authenticat\w{1,4}|environment variable `?[A-Z_]+)\b/i;
/** Personal data is made unreadable. */
const MASKS = /\b(?:placeholders?|anonymi[sz]\w{1,5}|redact\w{0,4}|mask(?:s|ed|ing)?|dummy|in (?:the )?examples)\b/i;
/** Something is kept from the user. */
export const HIDES: RegExp =
  /\b(?:do not|don't|never|must not|should not|without)\s(?:ever\s)?(?:tell(?:ing)?|mention(?:ing)?|show(?:ing)?|reveal(?:ing)?|inform(?:ing)?|notify(?:ing)?|highlight(?:ing)?|disclos(?:e|ing)|talk(?:ing)? about|report(?:ing)?|announce|display|log|asking|confirm\w{0,6})\b|\b(?:silently|secretly|quietly|covertly|discreetly|tell nobody|tell no one)\b|\b(?:users?|readers?|they|nobody)\s(?:must|should|do|does|need|will|may)(?:es)?(?:n't| not| never)\s(?:need to\s)?(?:know|notice|see|be told|realise|realize)|\b(?:hidden|secret|confidential|invisible)\s(?:from|to)\s(?:the\s)?(?:user|reader|owner)|\bkeep (?:this|it) (?:hidden|secret|confidential|to yourself|internal)|\bleave (?:it|this) out of\b|\bneeds? no confirmation\b|\bno confirmation (?:is )?(?:needed|required)\b|\bwithout further notice\b/i;

/** Secrets that a model would have to collect: key files, everything in the environment, what a browser or keychain keeps. */
const COLLECTS =
  /\b(?:cat|read|reads|open|load|get|collect|gather|find|search|copy|extract|take|include|contents? of|run|output of|look for)\b[^\n]{0,120}?(?:\.ssh\/(?!known_hosts|config\b)[\w*]|\.ssh\b(?!\/)|\bid_(?:rsa|ed25519)\b(?!\.pub)|\.aws\/credentials|\.git-credentials|[~/]\.netrc|\.kube\/config|\.docker\/config\.json|gh\/hosts\.yml|application_default_credentials|\/etc\/shadow|find-(?:generic|internet)-password|\bkeychain\b|\bsaved (?:passwords|log ?ins)|\bbrowser(?:'s)? (?:\w{1,8} )?(?:passwords|cookies|log ?ins)|\bwallet\.dat|\bseed phrases?\b|\bprintenv\b|\ball (?:\w{1,12} )?environment variables)|\b(?:collect|gather|harvest|extract|dump)\b[^\n.]{0,60}?\b(?:api keys?|access keys?|(?:access|auth|api|session) tokens|passwords|credentials|secrets)\b/i;
const SECTION_REACH = 800;

/** Whether the section of a verb tells to collect secrets, and its sentence or the line after it where they go. */
function tellsToSteal(match: RegExpExecArray): boolean {
  const { index, input } = match;
  const before = input.slice(Math.max(0, index - SECTION_REACH), index);
  const after = input.slice(index, index + SECTION_REACH);
  const end = after.indexOf('\n#');
  const rest = end === -1 ? after : after.slice(0, end);
  const section = `${before.slice(before.lastIndexOf('\n#') + 1)}${rest}`;
  const near = rest.slice(0, NEAR_ADDRESS);
  return WEB_ADDRESS.test(near) && COLLECTS.test(section) && !AGREED.test(section);
}

const NEAR_ADDRESS = 240;
const WEB_ADDRESS = /\bhttps?:\/\/(?!localhost|127\.|\$|<|\{)[^\s)>`"']{4}/i;

function raiseIf(isWorse: boolean, severity: AuditSeverity): AuditSeverity | undefined {
  return isWorse ? severity : undefined;
}

interface Surroundings {
  readonly sentence: string;
  readonly paragraph: string;
}

const REACH = 260;

/** The sentence of a match and the text around it, both of bounded length. */
function around({ index, input, 0: match }: RegExpExecArray): Surroundings {
  const before = input.slice(Math.max(0, index - REACH), index);
  const after = input.slice(index, index + match.length + REACH);
  const start = Math.max(before.lastIndexOf('\n'), lastSentenceEnd(before)) + 1;
  const end = /\n|[.!?]\s[A-Z]/.exec(after)?.index ?? after.length;
  return { sentence: `${before.slice(start)}${after.slice(0, end)}`, paragraph: `${before}${after}` };
}

function lastSentenceEnd(text: string): number {
  return [...text.matchAll(/[.!?]\s(?=[A-Z])/g)].at(-1)?.index ?? -1;
}
