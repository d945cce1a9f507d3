import { shareText } from '../../../../../contract/formats.ts'
import type { Language } from '../../../../../contract/languages.ts'
import { word } from '../../../../../server/http/words.ts'
import type { ReportDocument } from '../../blocks.ts'
import { momentText } from '../../text.ts'

/** Name and number of the template's version; nothing for reports without a template. */
export const versionOf = ({ TemplateVersion }: ReportDocument, language: Language): [string, string][] =>
  TemplateVersion ? [[word(language, 'report.templateVersion'), String(TemplateVersion)]] : []

/** Header lines common to all formats. */
export const factsOf = (document: ReportDocument, language: Language): [string, string][] => {
  const at = (time: number) => momentText(time, document.TimeZone)
  return [
    [word(language, 'explore.period'), `${at(document.Start)} – ${at(document.End)} (${document.TimeZone})`],
    [word(language, 'report.coverage'), document.Coverage === null ? '–' : shareText(document.Coverage, language)],
    // Reports of other areas may have no points.
    ...(document.Points ? [[word(language, 'report.points'), String(document.Points)] as [string, string]] : []),
    [word(language, 'report.made'), at(document.Made)],
    ...versionOf(document, language),
  ]
}
