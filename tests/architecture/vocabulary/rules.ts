import { EXCEPTIONS } from './exceptions.ts';
import { type ReadableText, readTexts } from './texts.ts';

/** Words that the glossary replaces (`docs/glossary.md`, "Words to avoid"), with the inflections that are common in texts of software. */
const AVOIDED_WORDS: readonly RegExp[] = [
  /answer(?:s|ed|ing|able)?/,
  /repl(?:y|ies|ied)/,
  /outcomes?/,
  /tells?|told|telling/,
  /kept|keeps/,
  /(?<!\b(?:in|take|takes|taking|taken|took) )places?(?! of\b)/,
  /doors?/,
  /ask(?:s|ed|ing|er|ers)?/,
  /refusals?/,
  /faults?|faulty/,
  /who(?:m)?ever|nobody|somebody|anybody|himself|whichever/,
  /stands?|stood|standing/,
  /beside/,
  /heed(?:s|ed|ing)?/,
  /anew/,
  /dear(?:er|est)?/,
  /let(?:s|ting)? go/,
  /under way|on (?:its|the|their) way/,
  /rooms?/,
  /recall(?:s|ed|ing)?|recollections?/,
  /gatherings?/,
  /weigh(?:s|ed|ing)?/,
  /second sight|sightings?/,
  /verdicts?|judg(?:e|es|ed|ing|ment)|conclu(?:sion|sions|de|des|ded)/,
  /departures?/,
  /rights/,
  /twins?/,
  /(?<!\bthere )(?:is|are) none/,
  /parts(?! of\b)|forms|openings|passing|(?:the|a|its|no|each|this) marks?/,
  /look(?:s|ed|ing)? at/,
  /hear(?:s|d)? of/,
  /of (?:our|its|their|my) own/,
];

/** Words that no identifier contains. Other words of the glossary have technical meanings in code, such as the weight of `@cost`. */
const AVOIDED_NAMES: readonly RegExp[] = [
  /answers?|answered|answering/,
  /repl(?:y|ies)/,
  /outcomes?/,
  /told|tells?|telling/,
  /kept/,
  /doors?/,
  /asks?|asked|asker|asking/,
  /refusals?/,
  /faults?|faulty/,
  /whoever|nobody|somebody|anybody/,
  /beside/,
  /rooms?/,
  /recollections?|gatherings?|openings/,
  /verdicts?|judged?|judges|conclusions?|conclude/,
  /twins?/,
];

/** British spellings, and forms of them. The project writes American English. */
const BRITISH_SPELLINGS: readonly RegExp[] = [
  /(?:authori|normali|seriali|deseriali|recogni|organi|optimi|minimi|initiali|synchroni|categori|summari|capitali)s(?:e|es|ed|er|ers|ing|ation)/,
  /behaviours?|honour(?:s|ed)?|colours?|favour(?:s|ite)?|licences?|whilst/,
  /cancell(?:ed|ing)|labell(?:ed|ing)|modell(?:ed|ing)/,
];

const wholeWords = (patterns: readonly RegExp[]) =>
  new RegExp(`(?<![\\w-])(?:${patterns.map(({ source }) => source).join('|')})(?![\\w]|-(?!\\s))`, 'gi');

/** Opening words of a relative clause or a preposition: a doc comment begins with a verb or a noun. */
const RELATIVE_OPENING =
  /^(?:What|Of|By|Who|Whose|Whom|Where|Which|Those|For|From|In|On|At|With|Without|To|As|Beside|Under|Before|After|Until|Since|Against|Towards?|Between|Within|Behind)\b/;

/** Longest title of a test. @unit characters */
const MAX_TITLE = 140;

/** A rule about the words of a text. Returns the words at fault, none when the text follows the rule. */
export interface VocabularyRule {
  readonly name: string;
  readonly appliesTo: (text: ReadableText) => boolean;
  readonly violations: (text: string) => readonly string[];
}

const avoided = wholeWords(AVOIDED_WORDS);
const avoidedNames = wholeWords(AVOIDED_NAMES);
const british = wholeWords(BRITISH_SPELLINGS);

/** Code, addresses and quoted names are not words of ours. */
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`|https?:\/\/\S+|\$?\{[^}]*\}/g, ' ');

/** Finds words, but not those in capitals, such as the values of enumerations. */
const found = (pattern: RegExp) => (text: string) => {
  const words = withoutCode(text)
    .match(pattern)
    ?.filter((word) => word !== word.toUpperCase());
  return [...new Set(words?.map((word) => word.toLowerCase()))];
};

export const VOCABULARY_RULES: readonly VocabularyRule[] = [
  { name: 'no words to avoid', appliesTo: ({ kind }) => kind !== 'name', violations: found(avoided) },
  { name: 'no words to avoid in names', appliesTo: ({ kind }) => kind === 'name', violations: found(avoidedNames) },
  { name: 'American spelling', appliesTo: () => true, violations: found(british) },
  {
    name: 'doc comments begin with a verb or a noun',
    appliesTo: ({ kind }) => kind === 'doc comment',
    violations: (text) => RELATIVE_OPENING.exec(text) ?? [],
  },
  {
    name: `test titles of at most ${MAX_TITLE} characters`,
    appliesTo: ({ kind }) => kind === 'test title',
    violations: (text) => (text.length > MAX_TITLE ? [`${text.length} characters`] : []),
  },
];

/** Files that the rules do not apply to: made by a tool, or about the words themselves. */
function isExempt(path: string): boolean {
  return (
    /\/generated\/|^bench\/results\/|^tests\/architecture\/vocabulary\/|^schema\/(?:openapi\.v\d+\.yaml|(?:released-)?supergraph\.graphql)$/.test(
      path,
    ) || path === 'docs/glossary.md'
  );
}

/** Lists the violations of one file as `path:line: rule: words`. */
export function vocabularyViolations(path: string, source: string): readonly string[] {
  if (isExempt(path)) return [];
  const allowed = EXCEPTIONS.filter((exception) => exception.path === path);
  return readTexts(path, source).flatMap((text) =>
    VOCABULARY_RULES.filter((rule) => rule.appliesTo(text)).flatMap((rule) => {
      const words = rule.violations(text.text).filter((word) => !allowed.some((exception) => exception.words.includes(word)));
      return words.length === 0 ? [] : [`${path}:${text.line}: ${rule.name}: ${words.join(', ')} (${text.kind})`];
    }),
  );
}
