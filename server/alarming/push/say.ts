// One push, to everybody it is for.
import { type AlarmPush, PushMethod, type PushReason } from '../../../contract/areas/alarm-push.ts'
import type { Delivery } from '../../channels/delivery.ts'
import type { Message } from '../../channels/prepare.ts'
import type { Db } from '../../database/db.ts'
import { audienceOf, namedBy, type Target, toldOf, ways } from './audience.ts'
import { guarded } from './digest.ts'
import { quiet } from './hours.ts'
import { languageOf, messageOf, type Told } from './message.ts'
import type { Send } from './plan.ts'

type Deliver = Pick<Delivery, 'deliver'>
type Saying = {
  alarm: Told
  push: AlarmPush
  zone: string
  send: Send
  now: number /** It is not sent, and the log says why. */
  why?: PushReason
}

/** Business type of messages about device alarms (ruling 26). */
const deviceAlarm = 1

const whom = ({ UserId, RobotId }: Target) => (UserId ? `u${UserId}` : RobotId ? `r${RobotId}` : '-')

const withheldFor = async (db: Db, target: Target, saying: Saying): Promise<Message['withheld']> => {
  const { alarm, push, zone, now, why } = saying
  if (why) return { cancelled: why }
  // A program needs no sleep and no digest.
  if (target.Method === 'webhook') return undefined
  const when = quiet(push, zone, alarm.AlarmLevel, now)
  if (when === 'drop') return { cancelled: 'quietDropped' }
  if (when !== 'now') return { until: when }
  return (await guarded(db, alarm.EnterpriseId, target, now)) ? 'digest' : undefined
}

export const say = async (db: Db, { deliver }: Deliver, saying: Saying) => {
  const { alarm, push, send, now } = saying
  const { targets, nobody } =
    send.kind === 'raised' || send.kind === 'step'
      ? await audienceOf(db, alarm.EnterpriseId, namedBy(push, send.step), now)
      : { targets: await toldOf(db, alarm.EnterpriseId, alarm.Id, push), nobody: false }
  const messageTo = async (target: Target, withheld: Message['withheld']): Promise<Message> => ({
    ...messageOf(alarm, send.kind, send.step, languageOf(target.Language, alarm.Language)),
    EnterpriseId: alarm.EnterpriseId,
    BizType: deviceAlarm,
    Method: target.Method,
    ...(target.UserId ? { UserId: target.UserId } : {}),
    ...(target.RobotId ? { RobotId: target.RobotId } : {}),
    ...(target.TemplateId ? { TemplateId: target.TemplateId } : {}),
    AlmInfoId: alarm.Id,
    about: { Kind: send.kind, Step: send.step, AlmRuleId: alarm.AlmRuleId },
    Source: `alarm/${alarm.Id}/${send.kind}/${send.step}/${target.Method}/${whom(target)}`,
    ...(withheld ? { withheld } : {}),
  })
  for (const target of targets) await deliver(db, await messageTo(target, await withheldFor(db, target, saying)))
  if (!nobody) return
  const method = namedBy(push, send.step).PushMethods.find(
    (m) => m.Method !== PushMethod.webhook && m.Method !== PushMethod.dingtalk,
  )!.Method
  await deliver(db, await messageTo({ Method: ways[method]! }, { cancelled: 'nobodyOnDuty' }))
}
