// What a report is about, in forms and lists of templates and schedules.
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { none } from '../../../../console/words/formats.ts'
import type { useWords } from '../../../../console/words/words.ts'
import { type About, type AboutKind, aboutNames, fieldsOfAbout, namesOf } from '../about.ts'

type Values = Record<string, unknown>
const isKind = (about: unknown): about is AboutKind => typeof about === 'string' && Object.hasOwn(fieldsOfAbout, about)

/** The choice without fields of other choices, which a form may still have. */
export const aboutIn = ({ About = 'group', ...values }: Values): About => {
  const kind = isKind(About) ? About : 'group'
  return { About: kind, ...Object.fromEntries(namesOf(kind).map((name) => [name, values[name] || null])) }
}

/** Shows the fields of what is chosen. */
export const refineAbout = ({ About }: Values): NonNullable<ReturnType<NonNullable<FormProps['refine']>>> => {
  const shown = isKind(About) ? namesOf(About) : []
  return { hidden: aboutNames.filter((name) => !shown.includes(name)), required: isKind(About) ? [...fieldsOfAbout[About]] : [] }
}

/** What it is about by name, with what it is narrowed by below. */
export const aboutCell = (row: Values, t: ReturnType<typeof useWords>) => {
  if (!isKind(row.About)) return t('reportSchedule.About.template')
  const names = { group: ['GroupName'], project: ['ProjectName'], device: ['DeviceName'], model: ['ModelName', 'ProjectName'] }[row.About]
  const filters = [row.StandardCode, row.PointSearch].filter(Boolean)
  return (
    <div>
      {names.flatMap((name) => (row[name] ? [String(row[name])] : [])).join(' · ') || none}
      <div className="faint">{[t(`reportTemplate.About.${row.About}`), ...filters].join(' · ')}</div>
    </div>
  )
}
