// What alarms of gateways are called: stored without a language, rendered in that of the reader.
import { sql } from 'kysely'
import type { Language } from '../../../../../contract/languages.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Sql } from '../../../../../server/resource/sql.ts'
import { type GatewayFault, gatewayFaults } from '../../../alarm-settings/contract.ts'
import { type AlarmFacts, alarmSentence } from '../../sentence.ts'

/** The end of the stored name, after the gateway's. */
export const faultNames: Record<GatewayFault, string> = { 1: 'offline', 2: 'power', 3: 'storage', 4: 'firmware' }
export const endOf = (fault: GatewayFault) => `: ${faultNames[fault]}`

/** `Pump house：离线`; without a name, `{name}` marks where it goes. */
export const ofGatewayIn = (language: Language, fault: GatewayFault, name?: string) =>
  word(language, 'alarm.ofGateway', { fault: word(language, `alarmInfo.GatewayFault.${fault}`), ...(name === undefined ? {} : { name }) })

/** `Pump house: offline` -> `Pump house：离线`; other alarms are called what they are called. */
export const nameIn = (language: Language, { RuleName, GatewayFault }: { RuleName: string; GatewayFault?: number | null }): string => {
  const fault = GatewayFault as GatewayFault
  return GatewayFault && RuleName?.endsWith(endOf(fault)) ? ofGatewayIn(language, fault, RuleName.slice(0, -endOf(fault).length)) : RuleName
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
  const cases = gatewayFaults.map((f) => {
    const [before = '', after = ''] = ofGatewayIn(language, f).split('{name}')
    const end = endOf(f)
    return sql`when ${fault} = ${f} and right(${name}, ${end.length}) = ${end} then ${before}::text || left(${name}, ${-end.length}) || ${after}::text`
  })
  return sql`case ${sql.join(cases, sql` `)} else ${name} end`
}
