// Starts the background work of alarms: the engine, messages and webhooks.
import type { Context } from '../../../../server/context.ts'
import * as settings from '../../alarm-settings/server/service.ts'
import { type ActionNeeds, startActions } from './alarming/actions/runner.ts'
import { startPushes } from './alarming/push/runner.ts'
import { startWebhooks } from './alarming/webhooks/runner.ts'
import { alarmRoutes } from './routes.ts'
import { alarmRuleRoutes, type RuleParts } from './ruleRoutes.ts'
import { type AlarmNeeds, Alarms } from './runner.ts'
import { startUnshelving } from './unshelve.ts'
import { webhookRoutes } from './webhooks.ts'

/** Starts the alarm engine, unshelving, pushes and webhooks. */
export const startAlarmArea = (c: Context, registry: AlarmNeeds['registry'] & RuleParts['registry'], readings: AlarmNeeds['telemetry']) => {
  const { database, hub, log, clock, telemetry, vault } = c
  const { delivery } = c.channels
  const alarms = c.opened(new Alarms({ database, registry, telemetry: readings, hub, log, clock }), (a) => a.stop())
  c.opened(startUnshelving({ database, log, clock }), (s) => s.stop())
  c.opened(startPushes({ database, delivery, clock, own: settings, log }), (p) => p.stop())
  c.opened(startWebhooks({ database, delivery, clock, log }), (w) => w.stop())
  c.routes.push(
    alarmRoutes,
    (api) => alarmRuleRoutes(api, { registry, newest: telemetry.latest.get, read: telemetry.read, clock }),
    (api) => webhookRoutes(api, { database, vault, delivery }),
  )
  return alarms
}

/** Runs the actions of rules: messages, notices, and writes, which need the gateways. */
export const startAlarmActions = ({ database, channels, clock, log, isOwner, opened }: Context, write: ActionNeeds['write']) =>
  opened(startActions({ database, delivery: channels.delivery, write, clock, log, isOwner }), (a) => a.stop())
