import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Language, languages } from '../../../../contract/languages.ts'
import { type AlarmFacts, alarmSentence } from '../sentence.ts'

const table = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...['alarms/alarms', 'configuration/points'].map((area) =>
      JSON.parse(readFileSync(join(import.meta.dirname, `../../../${area}/words/${language}.json`), 'utf8')),
    ),
  )
const tables = Object.fromEntries(languages.map((l) => [l, table(l)])) as Record<Language, Record<string, string>>
const sentence = (language: Language, facts: AlarmFacts, seconds: number | null) =>
  alarmSentence(
    (key, values = {}) => tables[language][key]!.replace(/\{(\w+)\}/g, (_, name) => String(values[name])),
    language,
    facts,
    seconds,
  )

const pressure = { ParaUnitName: 'bar', DecimalDigits: 2, ParaDataType: 7 }
const active = (facts: AlarmFacts): AlarmFacts => ({ IsActive: 1, ...pressure, ...facts })
const cleared = (facts: AlarmFacts): AlarmFacts => ({ IsActive: 0, ...pressure, LastValue: 5, ...facts })
const below: AlarmFacts = { TriggerStyle: 1, OperateSymbol: 5, LimitValue: 3.9, TriggerValue: 3.88 }
const above: AlarmFacts = { TriggerStyle: 1, OperateSymbol: 3, LimitValue: 90, TriggerValue: 95 }
const between: AlarmFacts = { TriggerStyle: 1, OperateSymbol: 7, LimitValue: 3, LimitValue2: 4.5, TriggerValue: 4 }
const outside: AlarmFacts = { ...between, OperateSymbol: 8, TriggerValue: 2.5 }
const airlock: AlarmFacts = { TriggerStyle: 1, OperateSymbol: 3, LimitValue: 0.5, TriggerValue: 1, ParaDataType: 0, ParaUnitName: null }
const change: AlarmFacts = { TriggerStyle: 2, OperateSymbol: 3, LimitValue: 2, TriggerValue: 7.25 }

type Row = [facts: AlarmFacts, seconds: number | null, en: string, zh: string, es: string, ja: string]
const rows: Record<string, Row> = {
  'a rule below, active': [
    active({ ...below, LastValue: 3.824 }),
    null,
    '3.82 bar (limit < 3.9)',
    '3.82 bar（限值 < 3.9）',
    '3,82 bar (límite < 3,9)',
    '3.82 bar（リミット 3.9 未満）',
  ],
  'a rule below, cleared': [
    cleared({ ...below, ExtremeValue: 3.81 }),
    97,
    'min 3.81 bar, 1 min 37 s',
    '最低 3.81 bar，持续 1 分 37 秒',
    'mín. 3,81 bar, 1 min 37 s',
    '最低 3.81 bar、継続 1 分 37 秒',
  ],
  'a rule below, cleared without extreme': [
    cleared(below),
    3600,
    'limit < 3.9, 1 h',
    '限值 < 3.9，持续 1 小时',
    'límite < 3,9, 1 h',
    'リミット 3.9 未満、継続 1 時間',
  ],
  'a timed rule at least, active': [
    active({ ...above, TriggerStyle: 4, OperateSymbol: 4, LastValue: 90 }),
    null,
    '90 bar (limit ≥ 90)',
    '90 bar（限值 ≥ 90）',
    '90 bar (límite ≥ 90)',
    '90 bar（リミット 90 以上）',
  ],
  'a rule at most, active': [
    active({ ...below, OperateSymbol: 6, LastValue: 3.9 }),
    null,
    '3.9 bar (limit ≤ 3.9)',
    '3.9 bar（限值 ≤ 3.9）',
    '3,9 bar (límite ≤ 3,9)',
    '3.9 bar（リミット 3.9 以下）',
  ],
  'a high limit, cleared after a day': [
    cleared({ ...above, Limit: 'high', ExtremeValue: 96.5 }),
    90_000,
    'max 96.5 bar, 1 d 1 h',
    '最高 96.5 bar，持续 1 天 1 小时',
    'máx. 96,5 bar, 1 d 1 h',
    '最高 96.5 bar、継続 1 日 1 時間',
  ],
  'a low limit, active': [
    active({ ...below, Limit: 'low' }),
    null,
    '3.88 bar (limit < 3.9)',
    '3.88 bar（限值 < 3.9）',
    '3,88 bar (límite < 3,9)',
    '3.88 bar（リミット 3.9 未満）',
  ],
  'between, active': [
    active(between),
    null,
    '4 bar (alarm between 3 and 4.5)',
    '4 bar（在 3 至 4.5 之间时报警）',
    '4 bar (alarma entre 3 y 4,5)',
    '4 bar（3～4.5 でアラーム）',
  ],
  'between, cleared': [
    cleared(between),
    5,
    'alarm between 3 and 4.5, 5 s',
    '在 3 至 4.5 之间时报警，持续 5 秒',
    'alarma entre 3 y 4,5, 5 s',
    '3～4.5 でアラーム、継続 5 秒',
  ],
  'not between, active': [
    active(outside),
    null,
    '2.5 bar (limits 3 to 4.5)',
    '2.5 bar（限值 3 至 4.5）',
    '2,5 bar (límites de 3 a 4,5)',
    '2.5 bar（リミット 3～4.5）',
  ],
  'not between, cleared, furthest below': [
    cleared({ ...outside, ExtremeValue: 1 }),
    61,
    'min 1 bar, 1 min 1 s',
    '最低 1 bar，持续 1 分 1 秒',
    'mín. 1 bar, 1 min 1 s',
    '最低 1 bar、継続 1 分 1 秒',
  ],
  'not between, cleared, furthest above': [
    cleared({ ...outside, ExtremeValue: 9 }),
    60,
    'max 9 bar, 1 min',
    '最高 9 bar，持续 1 分',
    'máx. 9 bar, 1 min',
    '最高 9 bar、継続 1 分',
  ],
  'Bool, active': [active(airlock), null, 'On', '开', 'Encendido', 'オン'],
  'Bool with texts, active': [
    active({ ...airlock, ZeroText: 'OK', OneText: 'Tripped' }),
    null,
    ...(['Tripped', 'Tripped', 'Tripped', 'Tripped'] as const),
  ],
  'Bool with texts, back before it clears': [
    active({ ...airlock, ZeroText: 'OK', OneText: 'Tripped', LastValue: 0 }),
    null,
    'OK (Tripped)',
    'OK（Tripped）',
    'OK (Tripped)',
    'OK（Tripped）',
  ],
  'Bool, cleared': [cleared({ ...airlock, LastValue: 0 }), 4, 'On, 4 s', '开，持续 4 秒', 'Encendido, 4 s', 'オン、継続 4 秒'],
  'Bool, a change': [
    active({ ...airlock, TriggerStyle: 2, OperateSymbol: 1, LimitValue: 0, LastValue: 0 }),
    null,
    'Off (alarm on change to Off)',
    '关（变为 关 时报警）',
    'Apagado (alarma al cambiar a Apagado)',
    'オフ（オフ への変化でアラーム）',
  ],
  'unequal, active': [
    active({ ...above, OperateSymbol: 2 }),
    null,
    '95 bar (alarm unless 90)',
    '95 bar（不等于 90 时报警）',
    '95 bar (alarma si no es 90)',
    '95 bar（90 以外でアラーム）',
  ],
  'no data, active': [active({ TriggerStyle: 3, LastValue: 4 }), null, 'no data', '无数据', 'sin datos', 'データなし'],
  'no data, cleared': [
    cleared({ TriggerStyle: 3 }),
    30,
    'no data, 30 s',
    '无数据，持续 30 秒',
    'sin datos, 30 s',
    'データなし、継続 30 秒',
  ],
  'a change, active': [
    active(change),
    null,
    '7.25 bar (change > 2)',
    '7.25 bar（变化量 > 2）',
    '7,25 bar (cambio > 2)',
    '7.25 bar（変化量 > 2）',
  ],
  'a change, cleared': [cleared(change), 0, 'change > 2, 0 s', '变化量 > 2，持续 0 秒', 'cambio > 2, 0 s', '変化量 > 2、継続 0 秒'],
  'several conditions, active: nothing is compared': [
    active({ TriggerValue: 3.5, LastValue: 3.25 }),
    null,
    '3.25 bar',
    '3.25 bar',
    '3,25 bar',
    '3.25 bar',
  ],
  'several conditions, cleared': [cleared({ TriggerValue: 3.5 }), 97, '1 min 37 s', '1 分 37 秒', '1 min 37 s', '1 分 37 秒'],
  'an old limit, active': [
    { IsActive: 1, Limit: 'high', LimitValue: 90, LastValue: 95.1234 },
    null,
    '95.123 (limit > 90)',
    '95.123（限值 > 90）',
    '95,123 (límite > 90)',
    '95.123（リミット 90 超過）',
  ],
  'an old limit, cleared': [
    { IsActive: 0, Limit: 'low', LimitValue: 10, LastValue: 50 },
    97,
    'limit < 10, 1 min 37 s',
    '限值 < 10，持续 1 分 37 秒',
    'límite < 10, 1 min 37 s',
    'リミット 10 未満、継続 1 分 37 秒',
  ],
  'an old rule, whose operator nobody knows': [{ IsActive: 1, LimitValue: 3.9, LastValue: 3.5 }, null, '3.5', '3.5', '3,5', '3.5'],
  'an old rule, cleared': [{ IsActive: 0, LimitValue: 3.9, LastValue: 5 }, 97, '1 min 37 s', '1 分 37 秒', '1 min 37 s', '1 分 37 秒'],
  'a value that its decimals would put on the limit': [
    active({ ...above, LastValue: 90.0004 }),
    null,
    '90.0004 bar (limit > 90)',
    '90.0004 bar（限值 > 90）',
    '90,0004 bar (límite > 90)',
    '90.0004 bar（リミット 90 超過）',
  ],
  'a gateway, without any value': [{ IsActive: 1 }, null, '', '', '', ''],
}

describe.each(Object.entries(rows))('%s', (_name, [facts, seconds, en, zh, es, ja]) => {
  test.each(Object.entries({ en, zh, es, ja }))('in %s', (language, expected) => {
    expect(sentence(language as Language, facts, seconds)).toBe(expected)
  })
})
