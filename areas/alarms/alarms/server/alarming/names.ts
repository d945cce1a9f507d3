// Names of gateway alarms, energy alarms and Bool alarms without texts. Stored language-neutral, rendered in the reader's language.
import { sql } from 'kysely'
import type { Language } from '../../../../../contract/languages.ts'
import { boolType } from '../../../../../contract/point-value.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Sql } from '../../../../../server/resource/sql.ts'
import { type GatewayFault, gatewayFaults } from '../../../alarm-settings/contract.ts'
import { type AlarmFacts, alarmSentence } from '../../sentence.ts'

/** The end of the stored name, after the gateway's. */
export const faultNames: Record<GatewayFault, string> = { 1: 'offline', 2: 'power', 3: 'storage', 4: 'firmware' }
export const endOf = (fault: GatewayFault) => `: ${faultNames[fault]}`

/** The end of the stored name of a Bool's limit, without texts of its own. The no-break space marks it: nobody types one. */
export const stateEnds = [':\u00a0Off', ':\u00a0On'] as const

/** Suffix of an energy alarm's stored name, after the circuit name, by hint rule. */
const hints = ['night', 'water', 'children', 'standing', 'demand'] as const
export type AlarmHint = (typeof hints)[number]
export const hintEnd = (hint: AlarmHint) => `:\u00a0${hint}`
/** Suffixes of alarm names that are translated without a gateway. */
export const plainEnds: readonly string[] = [...stateEnds, ...hints.map(hintEnd)]

/** Ends of stored names that are translated: of which alarms (0: of no gateway), and to which word. */
const translated = [
  ...gatewayFaults.map((fault) => ({ fault: fault as number, end: endOf(fault), key: `alarmInfo.GatewayFault.${fault}` })),
  ...hints.map((hint) => ({ fault: 0, end: hintEnd(hint), key: `energy.hint.rule.${hint}` })),
  ...stateEnds.map((end, state) => ({ fault: 0, end, key: `point.state.${state}` })),
]
type Named = { RuleName: string; GatewayFault?: number | null }
const translationOf = ({ RuleName, GatewayFault }: Named) =>
  translated.find(({ fault, end }) => fault === (GatewayFault ?? 0) && RuleName?.endsWith(end))
export const isTranslated = (alarm: Named) => Boolean(translationOf(alarm))

/** `Pump house: offline` -> `Pump house：离线`; other alarms are called what they are called. */
export const nameIn = (language: Language, alarm: Named): string => {
  const of = translationOf(alarm)
  if (!of) return alarm.RuleName
  return word(language, 'alarm.named', { name: alarm.RuleName.slice(0, -of.end.length), state: word(language, of.key) })
}

/** What is to be said of its value. */
export const sentenceIn = (language: Language, facts: AlarmFacts, seconds: number | null) =>
  alarmSentence((key, values) => word(language, key, values), language, facts, seconds)

const factColumns = [
  ...['IsActive', 'TriggerStyle', 'OperateSymbol', 'Limit', 'LimitValue', 'LimitValue2', 'TriggerValue', 'LastValue', 'ExtremeValue'],
  ...['ParaUnitName', 'DecimalDigits', 'ParaDataType', 'ZeroText', 'OneText'],
]
/** All that `valueIn` needs of alarm `a`, as one column. */
export const factsOfAlarm = sql.raw(
  `jsonb_build_object(${factColumns.map((name) => `'${name}', a."${name}"`).join(', ')}, 'Seconds', extract(epoch from a."RecoverTime" - a."StartTime"))`,
)
export type MessageFacts = AlarmFacts & { Seconds: number | null }

/** In a message about its end: the whole of it. In any other: its value now, or that which raised it where it has cleared since. */
export const valueIn = (language: Language, { Seconds, ...facts }: MessageFacts, isOver: boolean): string => {
  const then = facts.IsActive === 0 && !isOver ? { ...facts, IsActive: 1, LastValue: null } : facts
  return sentenceIn(language, then, isOver ? Seconds : null) || '-'
}

/** As `nameIn`, in SQL. */
export const nameSql = (language: Language, name: Sql, fault: Sql): Sql => {
  const cases = translated.map(({ fault: f, end, key }) => {
    const [before = '', after = ''] = word(language, 'alarm.named', { state: word(language, key) }).split('{name}')
    return sql`when coalesce(${fault}, 0) = ${f} and right(${name}, ${end.length}) = ${end} then ${before}::text || left(${name}, ${-end.length}) || ${after}::text`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${name} end`
}

const [off, on] = stateEnds
const stateName = `(select case when text = '' then m."ParaName" || case e."TriggerValue" when 1 then '${on}' else '${off}' end
      when right(lower(m."ParaName"), length(text)) = lower(text) then m."ParaName" else m."ParaName" || ': ' || text end
    from (select coalesce(case e."TriggerValue" when 1 then m."OneText" else m."ZeroText" end, '')) as state (text))`
/** The name under which alarm `e` of point `m` is stored: a limit of a Bool by its state, unless the point's name ends with that. */
export const storedName = `case when e."Limit" is not null and m."ParaDataType" = ${boolType} and e."TriggerValue" in (0, 1) then ${stateName} else e."RuleName" end`
