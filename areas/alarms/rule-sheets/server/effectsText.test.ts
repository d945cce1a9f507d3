import { expect, it } from 'vitest'
import { type Doing, doingText, type Push, pushText, readDoing, readPush } from './effectsText.ts'
import { type Named, Unreadable } from './text.ts'

const push = (more: Partial<Push<string>>): Push<string> => ({ PushUsers: [], PushMethods: [], PushStyle: 1, ...more })
it.each([
  ['bell to admin', push({ PushMethods: [{ Method: 1 }], PushUsers: ['admin'] })],
  ['dingtalk "Robot"', push({ PushMethods: [{ Method: 5, TemplateId: 'Robot' }] })],
  [
    'sms #7, email to #12, roster #3',
    push({ PushMethods: [{ Method: 2, TemplateId: '#7' }, { Method: 3 }], PushUsers: ['#12'], PushRosters: ['#3'] }),
  ],
  ['to admin; first and recovery', push({ PushUsers: ['admin'], PushStyle: 3 })],
  ['bell to roster; from level 3', push({ PushMethods: [{ Method: 1 }], PushUsers: ['roster'], AlarmLevel: 3 })],
  [
    'webhook; 3 times in 5 s; quiet 08:00-10:00 hold; after 10 min bell to ab, "li-wei"; after 20 min wechat to roster "N,""1"""',
    push({
      ...{ PushMethods: [{ Method: 7 }], AntiShakeFrequency: 3, AntiShakeDuration: 5, AntiShakeUnit: 1 },
      NoDisturb: { Enabled: 1, Start: '08:00', End: '10:00', Mode: 2 },
      StepPush: {
        Enabled: 1,
        Steps: [
          { Delay: 10, PushMethods: [{ Method: 1 }], PushUsers: ['ab', 'li-wei'] },
          { Delay: 20, PushMethods: [{ Method: 4 }], PushUsers: [], PushRosters: ['N,"1"'] },
        ],
      },
    }),
  ],
] as [string, Push<string>][])('%s is written and read', (text, parsed) => {
  expect(pushText(parsed)).toBe(text)
  expect(readPush(text)).toEqual(parsed)
  expect(readPush(text.replaceAll(' ', '  '))).toEqual(parsed)
})

it('nothing is nothing, and what is switched off is not written', () => {
  expect([readPush(' '), pushText(null)]).toEqual([null, ''])
  const off = {
    NoDisturb: { Enabled: 0, Start: '08:00', End: '10:00', Mode: 2 },
    StepPush: { Enabled: 0, Steps: [] },
    RecoveryNotice: 0,
  } as const
  expect(pushText(push({ PushUsers: ['a'], ...(off as object) }))).toBe('to a')
})

it.each([
  [
    '{Pump 1 / Valve} = -0.5 after 5 s',
    { writes: [{ ParaId: { device: 'Pump 1', point: 'Valve' }, Value: -0.5, DelayS: 5 }], actions: [] },
  ],
  [
    '{#12} = 1; call "http://a/?b=1;c=""2"""',
    { writes: [{ ParaId: { id: 12 }, Value: 1 }], actions: [{ Type: 3, Url: 'http://a/?b=1;c="2"' }] },
  ],
  [
    'notify admin, #4; notify li: "Close; it"',
    {
      writes: [],
      actions: [
        { Type: 5, PushUsers: ['admin', '#4'] },
        { Type: 5, PushUsers: ['li'], Text: 'Close; it' },
      ],
    },
  ],
] as [string, Doing<string, Named>][])('%s is written and read', (text, parsed) => {
  expect(doingText(parsed)).toBe(text)
  expect(readDoing(text)).toEqual(parsed)
})

it.each([
  [readPush, 'bell to admin again', 'again'],
  [readPush, 'bell to admin; quiet 8-9 hold', 'quiet 8-9 hold'],
  [readPush, 'pigeon to admin', 'pigeon to admin'],
  [readDoing, '{Pump / Valve} 3', '3'],
  [readDoing, 'notify admin: now', 'now'],
  [readDoing, 'call', ''],
] as [(text: string) => unknown, string, string][])('%o %s: the position of the error is reported', (of, text, at) => {
  expect(() => of(text)).toThrow(new Unreadable(at))
})
