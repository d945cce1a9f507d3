// Names of gateway alarms, energy alarms and Bool alarms without texts. Stored language-neutral, rendered in the reader's language.
import { sql } from 'kysely'
import type { Language } from '../../../../../contract/languages.ts'
import { boolType } from '../../../../../contract/point-value.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Sql } from '../../../../../server/resource/sql.ts'
import { type GatewayFault, gatewayFaults } from '../../../alarm-settings/contract.ts'
import { type AlarmFacts, alarmSentence } from '../../sentence.ts'

/** Suffix of the stored name, after the gateway's name. */
export const faultNames: Record<GatewayFault, string> = { 1: 'offline', 2: 'power', 3: 'storage', 4: 'firmware' }
export const endOf = (fault: GatewayFault) => `: ${faultNames[fault]}`

/** Suffix of the stored name of a Bool's limit without state texts. The no-break space marks it, because users do not type one. */
export const stateEnds = [':\u00a0Off', ':\u00a0On'] as const

/** Suffix of an energy alarm's stored name, after the circuit name, by hint rule. */
const hints = ['night', 'water', 'children', 'standing', 'demand'] as const
export type AlarmHint = (typeof hints)[number]
export const hintEnd = (hint: AlarmHint) => `:\u00a0${hint}`
/** Suffixes of alarm names that are translated without a gateway. */
export const plainEnds: readonly string[] = [...stateEnds, ...hints.map(hintEnd)]

/** Translated suffixes of stored names: the fault of the alarm (0: no gateway alarm), and the word. */
const translated = [
  ...gatewayFaults.map((fault) => ({ fault: fault as number, end: endOf(fault), key: `alarmInfo.GatewayFault.${fault}` })),
  ...hints.map((hint) => ({ fault: 0, end: hintEnd(hint), key: `energy.hint.rule.${hint}` })),
  ...stateEnds.map((end, state) => ({ fault: 0, end, key: `point.state.${state}` })),
]
type Named = { RuleName: string; GatewayFault?: number | null }
const translationOf = ({ RuleName, GatewayFault }: Named) =>
  translated.find(({ fault, end }) => fault === (GatewayFault ?? 0) && RuleName?.endsWith(end))
export const isTranslated = (alarm: Named) => Boolean(translationOf(alarm))

/** `Pump house: offline` -> `Pump house：离线`; other names stay unchanged. */
export const nameIn = (language: Language, alarm: Named): string => {
  const of = translationOf(alarm)
  if (!of) return alarm.RuleName
  return word(language, 'alarm.named', { name: alarm.RuleName.slice(0, -of.end.length), state: word(language, of.key) })
}

/** The sentence about an alarm's value. */
export const sentenceIn = (language: Language, facts: AlarmFacts, seconds: number | null) =>
  alarmSentence((key, values) => word(language, key, values), language, facts, seconds)

const factColumns = [
  ...['IsActive', 'TriggerStyle', 'OperateSymbol', 'Limit', 'LimitValue', 'LimitValue2', 'TriggerValue', 'LastValue', 'ExtremeValue'],
  ...['ParaUnitName', 'DecimalDigits', 'ParaDataType', 'ZeroText', 'OneText'],
]
/** All columns of alarm `a` that `valueIn` needs, as one column. */
export const factsOfAlarm = sql.raw(
  `jsonb_build_object(${factColumns.map((name) => `'${name}', a."${name}"`).join(', ')}, 'Seconds', extract(epoch from a."RecoverTime" - a."StartTime"))`,
)
export type MessageFacts = AlarmFacts & { Seconds: number | null }

/** For a message about clearing: the full sentence. For any other: the current value, or once cleared, the value that raised it. */
export const valueIn = (language: Language, { Seconds, ...facts }: MessageFacts, isOver: boolean): string => {
  const then = facts.IsActive === 0 && !isOver ? { ...facts, IsActive: 1, LastValue: null } : facts
  return sentenceIn(language, then, isOver ? Seconds : null) || '-'
}

/** SQL version of `nameIn`. */
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
/** Stored name of alarm `e` of point `m`: a limit of a Bool ends with its state, unless the point's name already does. */
export const storedName = `case when e."Limit" is not null and m."ParaDataType" = ${boolType} and e."TriggerValue" in (0, 1) then ${stateName} else e."RuleName" end`
