import { agent, agentCalls, gatewayPosition, snAgent, snAgentLog } from './areas/agents.ts'
import { alarmCode, alarmPlan } from './areas/alarm-plans.ts'
import { alarmRoster } from './areas/alarm-rosters.ts'
import { alarmRule, alarmRuleCalls } from './areas/alarm-rules.ts'
import { alarmSetting, alarmSettingCalls, almGatewayTemplate, almTemplate } from './areas/alarm-settings.ts'
import { alarmWebhook, alarmWebhookCalls } from './areas/alarm-webhooks.ts'
import { alarmCalls, alarmInfo, gatewayAlarmCalls } from './areas/alarms.ts'
import { backupCalls } from './areas/backup.ts'
import { netProtocol, serialProtocol } from './areas/channels.ts'
import { dashboardCalls } from './areas/dashboard-stats.ts'
import { dataPermission, dataPermissionCalls } from './areas/data-permissions.ts'
import { department, departmentCalls } from './areas/departments.ts'
import { device, deviceCalls } from './areas/devices.ts'
import { dataDict, dict, dictionaryCalls } from './areas/dictionaries.ts'
import { enterprise, enterpriseCalls, version } from './areas/enterprises.ts'
import { gatewayEvent } from './areas/events.ts'
import { exportCalls } from './areas/exports.ts'
import { fileCalls } from './areas/files.ts'
import { firewallCalls } from './areas/firewall.ts'
import { command, gateway, gatewayCalls } from './areas/gateways.ts'
import { logCalls } from './areas/logs.ts'
import { mtnAlmTemplate } from './areas/maintenance-alarm-templates.ts'
import { menuCalls } from './areas/menu-entries.ts'
import { almEmailTemplate, almPushRecord, almSmsTemplate, almWechatTemplate, messageCalls } from './areas/message-templates.ts'
import { modelCalls, proModel } from './areas/models.ts'
import { monitoringCalls } from './areas/monitoring.ts'
import { notice, noticeCalls } from './areas/notices.ts'
import { apiCredential, openApiCalls } from './areas/open-api.ts'
import { organ, organCalls } from './areas/organs.ts'
import { point, pointCalls } from './areas/points.ts'
import { post } from './areas/posts.ts'
import { preferenceCalls } from './areas/preferences.ts'
import { project } from './areas/projects.ts'
import { region, regionCalls } from './areas/regions.ts'
import { role, roleCalls } from './areas/roles.ts'
import { sessionCalls } from './areas/session.ts'
import { telemetryCalls } from './areas/telemetry.ts'
import { timer, timerCalls, timerLog } from './areas/timers.ts'
import { trialCalls, trialUser } from './areas/trial-users.ts'
import { user, userCalls } from './areas/users.ts'
import { dingRobot, wechatCalls } from './areas/wechat.ts'
import type { Call } from './base/call.ts'
import type { Resource } from './base/resource.ts'

/** Every resource; a `ref` names one of these. */
export const resources = [
  organ,
  department,
  post,
  region,
  dict,
  dataDict,
  user,
  role,
  dataPermission,
  enterprise,
  version,
  project,
  gateway,
  command,
  netProtocol,
  serialProtocol,
  proModel,
  device,
  point,
  alarmInfo,
  alarmRule,
  alarmRoster,
  alarmWebhook,
  alarmPlan,
  alarmCode,
  almGatewayTemplate,
  alarmSetting,
  almTemplate,
  mtnAlmTemplate,
  gatewayEvent,
  notice,
  almWechatTemplate,
  almEmailTemplate,
  almSmsTemplate,
  almPushRecord,
  dingRobot,
  timer,
  timerLog,
  trialUser,
  apiCredential,
  agent,
  snAgent,
  snAgentLog,
  gatewayPosition,
] as unknown as Resource[]

/** Every call beside the resources' own. */
export const calls: Call[] = [
  sessionCalls,
  userCalls,
  roleCalls,
  dataPermissionCalls,
  menuCalls,
  enterpriseCalls,
  gatewayCalls,
  deviceCalls,
  modelCalls,
  pointCalls,
  telemetryCalls,
  alarmCalls,
  gatewayAlarmCalls,
  alarmRuleCalls,
  alarmSettingCalls,
  alarmWebhookCalls,
  preferenceCalls,
  organCalls,
  departmentCalls,
  regionCalls,
  dictionaryCalls,
  noticeCalls,
  fileCalls,
  messageCalls,
  wechatCalls,
  timerCalls,
  logCalls,
  trialCalls,
  exportCalls,
  openApiCalls,
  agentCalls,
  firewallCalls,
  backupCalls,
  dashboardCalls,
  monitoringCalls,
].flatMap((group) => Object.values(group) as Call[])

export const languages = ['en', 'zh', 'es', 'ja'] as const
export type Language = (typeof languages)[number]
