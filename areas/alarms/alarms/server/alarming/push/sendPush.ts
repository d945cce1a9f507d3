// Sends one push to all of its receivers.
import { firstLanguage } from '../../../../../../contract/languages.ts'
import type { PushReason } from '../../../../../../contract/push-reasons.ts'
import type { Delivery } from '../../../../../../server/channels/delivery.ts'
import type { Message } from '../../../../../../server/channels/prepare.ts'
import type { Db } from '../../../../../../server/database/db.ts'
import { type AlarmPush, PushMethod } from '../../../../alarm-rules/alarm-push.ts'
import type { UserSetting } from '../../../../alarm-settings/contract.ts'
import { audienceOf, channels, type Listener, namedBy, notified, type Target, unreachable } from './audience.ts'
import { guarded } from './digest.ts'
import { quietHours } from './hours.ts'
import { messageOf, type PushedAlarm } from './message.ts'
import type { Send } from './plan.ts'

type Deliver = Pick<Delivery, 'deliver'>
/** Personal alarm settings (area alarm-settings). */
export type Own = {
  settingsOf(db: Db, users: readonly number[]): Promise<Map<number, UserSetting>>
  deliveryTime(
    setting: UserSetting,
    of: { AlarmLevel: number; AlarmType: number; Method: number; time: number; zone: string },
  ): 'now' | 'dropped' | { until: number }
  /** Receivers of alarms without a rule. */
  ruleless(
    db: Db,
    alarm: Pick<PushedAlarm, 'EnterpriseId' | 'ProjectId' | 'AlarmType' | 'AlarmLevel'>,
    now: Date,
  ): Promise<(Listener & { Methods: readonly number[] })[]>
}
type Push = {
  alarm: PushedAlarm
  push: AlarmPush
  zone: string
  send: Send
  now: number
  /** Set if the push is not sent; logged as the reason. */
  why?: PushReason
}

/** Personal settings do not apply to in-app messages, which everyone who sees the alarm gets, or to robots. */
const ownWays: readonly number[] = [PushMethod.sms, PushMethod.email, PushMethod.wechat]
const byOwnWays = ({ Id, Methods, ...his }: Listener & { Methods: readonly number[] }): Target[] =>
  Methods.filter((m) => ownWays.includes(m)).map((m) => ({ Method: channels[m]!, UserId: Id, ...his }))

const whom = ({ UserId, RobotId }: Target) => (UserId ? `u${UserId}` : RobotId ? `r${RobotId}` : '-')

const withheldFor = async (
  db: Db,
  own: Own,
  setting: UserSetting | undefined,
  target: Target,
  saying: Push,
): Promise<Message['withheld']> => {
  const { alarm, push, zone, now, why } = saying
  if (why) return { cancelled: why }
  // Webhooks have no quiet hours and no digest.
  if (target.Method === 'webhook') return undefined
  const when = quietHours(push, zone, alarm.AlarmLevel, now)
  if (when === 'drop') return { cancelled: 'quietDropped' }
  const { AlarmLevel, AlarmType, TenantZone } = alarm
  const his = setting
    ? own.deliveryTime(setting, { AlarmLevel, AlarmType, Method: PushMethod[target.Method], time: now, zone: target.Zone ?? TenantZone })
    : 'now'
  if (his === 'dropped') return { cancelled: 'ownSetting' }
  if (his !== 'now' && (when === 'now' || his.until > when)) return { until: his.until, why: 'ownQuiet' }
  if (when !== 'now') return { until: when }
  return (await guarded(db, alarm.EnterpriseId, target, now)) ? 'digest' : undefined
}

/** Queues one push for all its receivers. Returns whether personal settings suppressed it for any. Throws a Fault when the queue is full. */
export const sendPush = async (db: Db, { deliver }: Deliver, own: Own, saying: Push): Promise<boolean> => {
  const { alarm, push, send, now } = saying
  const first = send.kind === 'raised' || send.kind === 'step'
  const { targets, nobody } = send.risen
    ? { targets: await unreachable(db, alarm, push, now), nobody: false }
    : !first
      ? { targets: await notified(db, alarm, push, now), nobody: false }
      : alarm.AlmRuleId === null
        ? { targets: (await own.ruleless(db, alarm, new Date(now))).flatMap(byOwnWays), nobody: false }
        : await audienceOf(db, alarm, namedBy(push, send.step), now)
  const settings = await own.settingsOf(
    db,
    targets.flatMap((t) => t.UserId ?? []),
  )
  const messageTo = async (target: Target, withheld: Message['withheld']): Promise<Message> => ({
    ...messageOf(alarm, send.kind, send.step, firstLanguage(target.Language, alarm.Language)),
    EnterpriseId: alarm.EnterpriseId,
    // Ruling 26: 1 alarms of devices, 2 of gateways.
    BizType: alarm.AlarmType === 2 ? 2 : 1,
    Method: target.Method,
    ...(target.UserId ? { UserId: target.UserId } : {}),
    ...(target.RobotId ? { RobotId: target.RobotId } : {}),
    ...(target.TemplateId ? { TemplateId: target.TemplateId } : {}),
    AlmInfoId: alarm.Id,
    about: { Kind: send.kind, Step: send.step, AlmRuleId: alarm.AlmRuleId },
    Source: `alarm/${alarm.Id}/${send.kind}/${send.step}/${target.Method}/${whom(target)}${send.risen ? `/${send.risen}` : ''}`,
    ...(withheld ? { withheld } : {}),
  })
  let left = false
  for (const target of targets) {
    const withheld = await withheldFor(db, own, target.UserId ? settings.get(target.UserId) : undefined, target, saying)
    left ||= typeof withheld === 'object' && 'cancelled' in withheld && withheld.cancelled === 'ownSetting'
    await deliver(db, await messageTo(target, withheld))
  }
  if (!nobody) return left
  const method = namedBy(push, send.step).PushMethods.find(
    (m) => m.Method !== PushMethod.webhook && m.Method !== PushMethod.dingtalk,
  )!.Method
  await deliver(db, await messageTo({ Method: channels[method]! }, { cancelled: 'nobodyOnDuty' }))
  return left
}
