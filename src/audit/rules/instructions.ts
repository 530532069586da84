import { anyOf, type TextRule } from './rule.ts';

/** Instructions that turn an agent against its user. They apply everywhere, since a model reads everything. */
export const INSTRUCTION_RULES: readonly TextRule[] = [
  {
    id: 'SP401',
    name: 'overrides-instructions',
    severity: 'high',
    why: 'It tries to override your instructions and those of your agent.',
    pattern: anyOf(
      /\b(?:ignore|disregard|forget|override|bypass)\s(?:all\s|any\s|every\s)?(?:of\s)?(?:the\s|your\s|my\s|these\s|those\s)?(?:previous|prior|earlier|above|preceding|existing|original|other)\s(?:\w{1,12}\s)?(?:instructions?|rules?|prompts?|guidelines?|directives?|constraints?)\b/,
      /\b(?:ignore|disregard|override|bypass)\s(?:all\s)?(?:of\s)?(?:your|the)\s(?:system|safety|security|developer|core)\s(?:prompts?|instructions?|rules?|guidelines?|guardrails?|restrictions?|polic(?:y|ies))\b/,
      /\byou are now\s(?:in\s)?(?:DAN\b|developer mode|unrestricted|jailbroken|god mode|free from)/,
      /\b(?:these|this|the following) instructions?\s(?:override|supersede|take precedence over)\s(?:all|any|every|your|the system|previous)/,
      /忽略(?:之前|以上|先前|所有)[^\n。]{0,8}(?:指令|指示|提示|规则)/,
    ),
  },
  {
    id: 'SP402',
    name: 'hides-from-the-user',
    severity: 'high',
    why: 'It tells the agent to keep something from you.',
    pattern: anyOf(
      /\b(?:do not|don't|never|must not|should not|avoid)\s(?:ever\s)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|let)\s(?:the\s|your\s|any\s)?(?:user|human|person|operator|developer)s?\s(?:about\s(?:this|that|these|it)\b|that\s(?:you|this|we|it)\b|of\s(?:this|these)|know\b|what\syou)/,
      /\b(?:do not|don't|never|must not)\s(?:mention|reveal|disclose|report|expose|show|display|log)\s(?:this|these|that|it|any of this|the (?:upload|download|transfer|request|command|exfiltration|backdoor|install|installation|execution))(?:\s\w{1,14}){0,4}?\sto\s(?:the\s|your\s|any\s)?(?:user|human|person|operator|developer)/,
      /\b(?:hide|conceal|keep)\s(?:this|it|these|that|all of this|your actions?|the \w{1,16})(?:\s\w{1,12}){0,3}?\s(?:hidden\s|secret\s)?from\s(?:the\s|your\s)?(?:user|human|operator|developer)s?\b/,
      /\bwithout\s(?:the\s|your\s)?(?:user|human|operator)(?:'s|s')?\s(?:knowing|knowledge|noticing|awareness|being aware)/,
      /\bwithout\s(?:telling|informing|notifying|alerting)\s(?:the\s|your\s)?(?:user|human|operator)/,
      /\b(?:silently|secretly|covertly|quietly|stealthily)\s(?:send|sends|upload|post|transmit|exfiltrate|forward|copy|run|execute|install|download|collect|record)\b[^\n.]{0,60}?(?:https?:|\bdata\b|\bkeys?\b|\btokens?\b|\bcredentials?\b|\bfiles?\b|\bcommands?\b|\bscript\b|\buser\b)/,
      /(?:不要|别|禁止)(?:告诉|通知|告知)用户/,
    ),
  },
  {
    id: 'SP403',
    name: 'deceives-the-user',
    severity: 'high',
    why: 'It tells the agent to say something that is not true.',
    pattern: anyOf(
      /\b(?:lie to|deceive|mislead|trick)\s(?:the\s|your\s)(?:user|human|operator)\b/,
      /\b(?:pretend|act as if|claim|make it (?:look|seem|appear) (?:like|as if))\s(?:that\s)?(?:nothing|no\s(?:error|upload|command|request)|everything (?:is|was|went)|it (?:failed|succeeded|worked)|the (?:command|script|upload|task) (?:failed|succeeded|was))/,
      /\b(?:tell|show) the user (?:that )?(?:it|everything|this) (?:is|was) (?:just|only) (?:a )?(?:routine|normal|harmless)/,
    ),
  },
  {
    id: 'SP404',
    name: 'acts-without-asking',
    severity: 'low',
    inDocuments: 'info',
    why: 'It tells the agent not to ask first. Check what the agent would then do on its own.',
    pattern: anyOf(
      /\bwithout\s(?:asking|requesting|waiting for|prompting for|requiring|seeking)\s(?:for\s)?(?:the\s|any\s|user\s|user's\s|explicit\s|further\s){0,3}(?:user|permission|confirmation|approval|consent)\b/,
      /\b(?:do not|don't|never)\sask\s(?:the\s)?(?:user\s)?(?:for\s)?(?:permission|confirmation|approval|consent)\b/,
      /\bauto(?:matically)?[- ]?(?:approve|accept|confirm)\s(?:all|any|every)\b/,
    ),
  },
  {
    id: 'SP405',
    name: 'instructions-from-elsewhere',
    severity: 'high',
    inDocuments: 'medium',
    why: 'The instructions come from an address whose owner can change them at any time.',
    pattern: anyOf(
      /\b(?:fetch|download|retrieve|load|get|read|pull|visit|open|check|curl)\b[^\n]{0,60}?\b(?:latest|current|updated|new|remote|further|additional|full)\s(?:\w{1,14}\s)?(?:instructions?|prompts?|commands?|rules|directives?|skill)\b[^\n]{0,60}?https?:\/\//,
      /\b(?:follow|execute|obey|run|apply|carry out)\s(?:all\s|any\s)?(?:the\s)?(?:instructions?|commands?|steps|directives?)\s[^\n]{0,40}?(?:at|from|in|on|returned by|served by)\s[^\n]{0,20}?https?:\/\//,
      /\b(?:curl|wget|fetch|web_fetch)\b[^\n]{0,80}?https?:\/\/[^\s"'`<>)]{3,120}\/(?:skill|heartbeat|instructions?|prompt|messaging|rules|agents?)\.(?:md|txt)\b/,
    ),
  },
  {
    id: 'SP406',
    name: 'instructions-in-a-comment',
    severity: 'medium',
    why: 'Readers of the rendered page do not see a comment, but the agent does.',
    contexts: ['prose', 'fence', 'frontmatter'],
    pattern: /<!--([^>]{1,400})/g,
    accepts: ([, comment = '']) => SPEAKS_TO_AGENTS.test(comment),
  },
  {
    id: 'SP407',
    name: 'forged-system-text',
    severity: 'medium',
    inDocuments: 'low',
    why: 'The text pretends to come from the system or the user.',
    pattern: anyOf(
      /<\|(?:im_start|im_end|system|start_header_id)\|>/,
      /\[\/?INST\]|<<\/?SYS>>/,
      /<\/?(?:system|system-reminder|system_prompt|system-prompt|admin|developer_message)>/,
      /(?:^|\n)(?:#{1,4}\s|\*\*|\[)?(?:SYSTEM|ADMIN|DEVELOPER) (?:OVERRIDE|MESSAGE|NOTICE|INSTRUCTION)S?\b(?:\*\*|\])?\s?:/,
    ),
  },
  {
    id: 'SP408',
    name: 'archive-password',
    severity: 'critical',
    inDocuments: 'high',
    why: 'The password keeps scanners out, not people: it is given right next to the archive.',
    pattern: anyOf(
      /\bunzip\s(?:-\w{1,20}\s){0,3}-P\s?\S/,
      /\b7z[ar]?\s[xe]\s[^\n]{0,120}?-p\S/,
      /\bunrar\s[xe]\s[^\n]{0,80}?-p\S/,
      /\b(?:archive|zip|rar|7z|extract(?:ion)?|unpack|unzip)\b[^\n]{0,80}?(?:\b(?:password|passphrase)\b(?:\s(?:is|for|to|when)\b)?\s?[:=(]?|\b(?:pass|pwd)\s?[:=])\s?[`"'*]{1,3}\S{3,40}[`"'*]/,
      /\b(?:password|passphrase)\s?(?:is|:|=)\s?[`"'*]{0,3}[\w!@#$%-]{3,30}[`"'*]{0,3}[^\n]{0,60}?\b(?:extract|unzip|unpack|archive|\.zip|\.rar|\.7z)\b/,
      /\bextractall\([^\n]{0,80}?pwd\s?=(?!\s?None\b)/,
    ),
    // `unzip -p` prints, `unzip -P` has a password.
    accepts: ([match]) => !/\bunzip\s(?:-\w{1,20}\s){0,3}-p/.test(match),
  },
  {
    id: 'SP409',
    name: 'calls-home-regularly',
    severity: 'medium',
    inDocuments: 'low',
    why: 'An agent that reports to an outside server regularly can receive new orders at any time.',
    pattern: anyOf(
      /\bevery\s(?:\w{1,7}\s)?(?:few\s)?(?:minutes?|hours?|\d{1,3}\s?(?:m|h|min|hrs?))\b[^\n]{0,120}?\b(?:fetch|check|post|send|report|register|ping|visit|curl)\b[^\n]{0,80}?https?:\/\//,
      /\b(?:heartbeat|check[- ]in|phone home|beacon)\b[^\n]{0,80}?https?:\/\/(?!localhost|127\.)/,
    ),
  },
  {
    id: 'SP410',
    name: 'lure-to-the-terminal',
    severity: 'high',
    inDocuments: 'medium',
    why: 'It asks people to paste a command into their own terminal, where the agent cannot stop it.',
    pattern: anyOf(
      /\b(?:copy|paste)\b[^\n.]{0,60}?\b(?:command|script|line|code|installation script)\b[^\n.]{0,60}?\b(?:into|in|to|inside)\s(?:your\s|the\s|a\s)?(?:mac\s|macos\s)?(?:terminal|command prompt|powershell|console|shell)\b/,
      /复制[^\n]{0,30}粘贴[^\n]{0,12}(?:终端|Terminal)/,
      /\b(?:open|launch|start)\s(?:your\s|the\s|a\s)?terminal\b[^\n]{0,40}?\b(?:and|then)\s(?:paste|enter the (?:following|command))/,
      /\b(?:required|must|need)\b[^\n.]{0,60}?\b(?:download|install)\b[^\n]{0,60}?\b(?:openclaw-?agent|auth ?tool|core utility|driver utility|helper tool)\b/,
    ),
  },
  {
    id: 'SP411',
    name: 'praises-its-own-safety',
    severity: 'medium',
    why: 'A skill that praises itself to its reviewer deserves a closer look.',
    pattern: anyOf(
      /\b(?:this|the) (?:skill|script|code|file|command|archive) (?:is|has been) (?:completely |totally |100% |perfectly |fully )?(?:safe to (?:run|trust|install|use)|harmless|(?:security[- ])?verified by|pre-?approved|whitelisted|trusted by anthropic)/,
      /\bno need to (?:review|scan|audit|inspect|verify|check) (?:this|the) (?:skill|script|code|file|archive)/,
      /\bif you are (?:an? )?(?:automated )?(?:security |code |ai )?(?:scanner|reviewer|auditor|moderator)\b/,
      /\b(?:disable|turn off|ignore) (?:your |the )?(?:antivirus|gatekeeper|windows defender|security warnings?)\b/,
    ),
  },
  {
    id: 'SP412',
    name: 'wants-the-system-prompt',
    severity: 'medium',
    inDocuments: 'low',
    why: 'The system prompt is confidential. A skill has no need to see it.',
    pattern:
      /\b(?:print|reveal|output|repeat|show|send|leak|dump|disclose|recite)\s(?:me\s|me all\s|all\s|out\s)?(?:of\s)?(?:your|the agent's|the assistant's)\s(?:full\s|entire\s|complete\s|hidden\s|original\s)?(?:system prompt|initial instructions|system instructions|system message|hidden instructions)/gi,
  },
];

/** Words that address the agent, not the reader. */
const SPEAKS_TO_AGENTS =
  /\b(?:ignore|disregard|override) (?:all|any|previous|prior|the|your)\b|\b(?:curl|wget|base64|chmod|sudo) [-\w]|\bdo not (?:tell|mention|inform|reveal)\b|\b(?:secretly|silently)\b|\b(?:assistant|agent|claude|model|llm|ai)\s?[:,]?\s(?:must|should|please|run|execute|send|read|you)\b|\bsystem (?:prompt|instruction|override)|\bexfiltrate\b/i;
