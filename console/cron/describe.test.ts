import { expect, it } from 'vitest'
import { cronPresets } from '../../contract/cron.ts'
import { languages } from '../../contract/languages.ts'
import { describeCron } from './describe.ts'

it('an expression has words in the four languages, weekdays counted as Quartz does', () => {
  expect(languages.map((l) => describeCron('0 0 12 ? * 2-6', l))).toEqual([
    'At 12:00, Monday through Friday',
    '在 12:00，星期一至星期五',
    'A las 12:00, de lunes a viernes',
    '12:00、月曜日から金曜日まで',
  ])
  expect(languages.map((l) => describeCron('0 0 12 LW * ?', l))).toEqual([
    'At 12:00, on the last weekday of the month',
    '在 12:00，限每月的最后一个工作日',
    'A las 12:00, en el último día laborable del mes',
    '12:00、月の最後の平日',
  ])
  expect(languages.map((l) => describeCron('0 0 12 ? * 6#3', l))).toEqual([
    'At 12:00, on the third Friday of the month',
    '在 12:00，限每月的第三个星期五',
    'A las 12:00, en el tercer viernes del mes',
    '12:00、月の 3 番目の金曜日',
  ])
})

it('no two presets read alike, in any language', () => {
  for (const language of languages) expect(new Set(Object.values(cronPresets).map((e) => describeCron(e, language))).size).toBe(17)
})
