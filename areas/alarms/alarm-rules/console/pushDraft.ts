// Push settings in the rule editor. Pure.
import { type AlarmPush, PushMethod, pushDefaults } from '../alarm-push.ts'

type Person = { Id: number; UserName: string; UserNO: string }
/** People to choose from. Other platform administrators appear only if the rule already names them. */
export const peopleOptions = (people: readonly Person[] = [], chosen: readonly number[] = []) =>
  people
    .filter((u) => u.UserNO || chosen.includes(u.Id))
    .map((u) => ({ value: u.Id, label: u.UserNO ? `${u.UserName} (${u.UserNO})` : u.UserName }))

export const emptyPush: AlarmPush = { PushUsers: [], PushMethods: [], PushStyle: 1 }

/** Available push styles. */
export const offered = [
  PushMethod.site,
  PushMethod.email,
  PushMethod.sms,
  PushMethod.wechat,
  PushMethod.dingtalk,
  PushMethod.webhook,
] as const
export const isTold = (p: AlarmPush) => p.PushUsers.length + (p.PushRosters?.length ?? 0) + p.PushMethods.length > 0

/** A push style with the fields it needs and no others. */
export const styled = (PushStyle: 1 | 2 | 3): Partial<AlarmPush> => ({
  PushStyle,
  RepeatMinutes: PushStyle === 2 ? pushDefaults.RepeatMinutes : null,
})

export const shaking = (on: boolean): Partial<AlarmPush> => ({
  AntiShakeDuration: on ? pushDefaults.AntiShakeDuration : null,
  AntiShakeFrequency: on ? pushDefaults.AntiShakeFrequency : null,
  AntiShakeUnit: on ? 1 : null,
})
/** Interval of the slowest point, s, if it exceeds the debounce window (ruling 30): the window could never contain two readings. */
export const tooShort = ({ AntiShakeDuration: d, AntiShakeUnit }: AlarmPush, periods: readonly number[]): number | undefined => {
  const slowest = Math.max(0, ...periods)
  return d && d * (AntiShakeUnit === 2 ? 60 : 1) < slowest ? slowest : undefined
}
export const quieted = (on: boolean): Partial<AlarmPush> => ({
  NoDisturb: on ? { Enabled: 1, Start: pushDefaults.NoDisturbStart, End: pushDefaults.NoDisturbEnd, Mode: 2 } : null,
})
export const stepAfter = (steps: readonly { Delay: number }[]) => ({
  Delay: (steps.at(-1)?.Delay ?? 0) + pushDefaults.StepDelay,
  PushUsers: [],
  PushRosters: [],
  PushMethods: [],
})
