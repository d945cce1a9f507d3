import type { Call } from '../contract/call.ts'
import { pushConfig, wechatConfig } from '../contract/channel-settings.ts'
import { exportCalls } from '../contract/exports.ts'
import { type Figure, figureCall } from '../contract/figures.ts'
import { fileCalls } from '../contract/files.ts'
import { type Links, linkCalls } from '../contract/links.ts'
import { menuCalls } from '../contract/menu-entries.ts'
import { preferenceCalls } from '../contract/preferences.ts'
import { register, registerLinks } from '../contract/registry.ts'
import type { Resource } from '../contract/resource.ts'
import { sessionCalls } from '../contract/session.ts'
import { type Settings, settingsCalls } from '../contract/settings.ts'
import { telemetryCalls } from '../contract/telemetry.ts'
import { alarmCode, alarmPlan } from './alarms/alarm-plans/contract.ts'
import { alarmRoster } from './alarms/alarm-rosters/contract.ts'
import { alarmRule, alarmRuleCalls } from './alarms/alarm-rules/contract.ts'
import { alarmReminder, alarmSetting, alarmSettingCalls, almGatewayTemplate, almTemplate } from './alarms/alarm-settings/contract.ts'
import { alarmWebhook } from './alarms/alarm-webhooks/contract.ts'
import { alarmCalls, alarmInfo, gatewayAlarmCalls } from './alarms/alarms/contract.ts'
import { eventCalls, gatewayEvent } from './alarms/events/contract.ts'
import { savedChart } from './analysis/charts/contract.ts'
import { figures as ofDashboard } from './analysis/dashboard/contract.ts'
import { formulaCalls, formulaPoint } from './analysis/formulas/contract.ts'
import { historyCalls } from './analysis/history/contract.ts'
import { chartNote, overlayCalls } from './analysis/notes/contract.ts'
import { reportGroup, reportGroupCalls } from './analysis/report-groups/contract.ts'
import { reportDelivery, reportLinkCalls, reportRun, reportRunCalls, reportSchedule } from './analysis/report-schedules/contract.ts'
import { reportCalls, reportTemplate } from './analysis/reports/contract.ts'
import { shiftCalls, shiftPlan } from './analysis/shifts/contract.ts'
import { analysisCalls, analysisSettings } from './analysis/telemetry/contract.ts'
import { coldCalls, coldResources } from './cold-storage/index.ts'
import { coldReportRules } from './cold-storage/reports/contract.ts'
import { netProtocol, protocolCalls, protocolPolicy, serialProtocol } from './configuration/channels/contract.ts'
import { commonCalls, commonPara } from './configuration/common-points/contract.ts'
import { configVersion, configVersionCalls } from './configuration/config-versions/contract.ts'
import { dataParse, dataParseCalls, parseDevices, parseGateways, parseProjects } from './configuration/data-parse/contract.ts'
import { deviceVnc, deviceVncCalls } from './configuration/device-vnc/contract.ts'
import { device, deviceCalls } from './configuration/devices/contract.ts'
import { command, gateway, gatewayCalls, gatewayPara } from './configuration/gateways/contract.ts'
import { modelCalls, modelPara, pointTempMenu, proModel } from './configuration/models/contract.ts'
import { componentCalls, networkComponent } from './configuration/network-components/contract.ts'
import { pluginCalls, protocolPlugin } from './configuration/plugins/contract.ts'
import { devicesByGateway, gatewaysByProject, point, pointCalls } from './configuration/points/contract.ts'
import { productSeries } from './configuration/product-series/contract.ts'
import { productTask, productTaskCalls, productTaskRow } from './configuration/product-tasks/contract.ts'
import { project, projectCalls } from './configuration/projects/contract.ts'
import { selfParse, selfParseCalls } from './configuration/self-parse/contract.ts'
import { standardCalls, standardPara } from './configuration/standard-points/contract.ts'
import { pointCheck, projectTask, projectTaskCalls, projectTaskRow } from './configuration/tasks/contract.ts'
import { accessPoints, thirdPartyAccess } from './configuration/third-party-access/contract.ts'
import { dosingCalls, dosingResources } from './dosing/index.ts'
import { energyHints } from './energy/consumption/hints.ts'
import { energyCalls, energyResources } from './energy/index.ts'
import { cardResources } from './maintenance/cards/contract.ts'
import { equipmentCalls, mtnEquipment } from './maintenance/equipment/contract.ts'
import { knowledgeCalls, mtnKnowledgeBase } from './maintenance/knowledge-base/contract.ts'
import { mtnAlmTemplate } from './maintenance/maintenance-alarm-templates/contract.ts'
import { offlineCalls } from './maintenance/offline/contract.ts'
import { orderClocks } from './maintenance/orders/clocks.ts'
import { mtnMaintenanceOrder, orderCalls } from './maintenance/orders/contract.ts'
import { figureCalls } from './maintenance/orders/figures.ts'
import { mtnLaborRate, workCalls } from './maintenance/orders/work.ts'
import { mtnCheckOrder, mtnCheckPlan, patrolCalls } from './maintenance/patrols/contract.ts'
import { requestCalls } from './maintenance/requests/contract.ts'
import { partResources, sparePartCalls } from './maintenance/spare-parts/contract.ts'
import { mtnUpKeepOrder, mtnUpKeepPlan, upkeepCalls } from './maintenance/upkeep/contract.ts'
import { agent, agentCalls, gatewayPosition, snAgent, snAgentLog } from './people/agents/contract.ts'
import { dataPermission, dataPermissionCalls } from './people/data-permissions/contract.ts'
import { department, departmentCalls } from './people/departments/contract.ts'
import { enterprise, enterpriseCalls, version } from './people/enterprises/contract.ts'
import { organ, organCalls } from './people/organs/contract.ts'
import { post } from './people/posts/contract.ts'
import { region } from './people/regions/contract.ts'
import { role, roleCalls } from './people/roles/contract.ts'
import { gatewaySn, serialCalls } from './people/serials/contract.ts'
import { trialCalls, trialUser } from './people/trial-users/contract.ts'
import { user, userCalls } from './people/users/contract.ts'
import { visualBoard, visualBoardCalls } from './pictures/boards/contract.ts'
import { flowChartTemplate, flowChartTemplateMenu } from './pictures/flowchart-templates/contract.ts'
import { flowchart, flowchartCalls } from './pictures/flowcharts/contract.ts'
import { pictureFileCalls } from './pictures/flowcharts/picture-file.ts'
import { mapCalls, mapLayer, mapTiles } from './pictures/maps/contract.ts'
import { sharedCalls } from './pictures/public-screens/contract.ts'
import { share } from './pictures/shares/contract.ts'
import { pictureSymbol, symbolCalls } from './pictures/symbols/contract.ts'
import { television, televisionCalls } from './pictures/televisions/contract.ts'
import { backupCalls } from './system/backup/contract.ts'
import { dataDict, dict, dictionaryCalls } from './system/dictionaries/contract.ts'
import { firewallCalls } from './system/firewall/contract.ts'
import { logCalls } from './system/logs/contract.ts'
import { almEmailTemplate, almPushRecord, almSmsTemplate, almWechatTemplate, messageCalls } from './system/message-templates/contract.ts'
import { machineLimits, monitoringCalls } from './system/monitoring/contract.ts'
import { notice, noticeCalls } from './system/notices/contract.ts'
import { apiCredential, openApiCalls } from './system/open-api/contract.ts'
import { timer, timerCalls, timerLog } from './system/timers/contract.ts'
import { dingRobot, shareConfig, wechatCalls, wxConfig } from './system/wechat/contract.ts'

/** Every resource; a `ref` names one of these. */
export const resources: readonly Resource[] = [
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
  gatewayPara,
  netProtocol,
  serialProtocol,
  pointTempMenu,
  proModel,
  modelPara,
  device,
  deviceVnc,
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
  mtnMaintenanceOrder,
  mtnUpKeepPlan,
  mtnUpKeepOrder,
  mtnCheckPlan,
  mtnCheckOrder,
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
  gatewaySn,
  gatewayPosition,
  standardPara,
  commonPara,
  configVersion,
  flowchart,
  flowChartTemplateMenu,
  flowChartTemplate,
  pictureSymbol,
  projectTask,
  projectTaskRow,
  pointCheck,
  productSeries,
  productTask,
  productTaskRow,
  visualBoard,
  mapLayer,
  share,
  television,
  reportGroup,
  savedChart,
  reportTemplate,
  reportSchedule,
  reportRun,
  shiftPlan,
  selfParse,
  protocolPlugin,
  dataParse,
  networkComponent,
  formulaPoint,
  chartNote,
  thirdPartyAccess,
  ...partResources,
  ...cardResources,
  mtnKnowledgeBase,
  mtnEquipment,
  mtnLaborRate,
  ...[...coldResources, ...energyResources, ...dosingResources],
]
register(resources)

/** Everything that is set once a tenant, or once for the platform. */
export const settings: readonly Settings[] = [
  alarmReminder,
  machineLimits,
  wechatConfig,
  wxConfig,
  shareConfig,
  pushConfig,
  ...[mapTiles, protocolPolicy, reportDelivery, orderClocks, analysisSettings, energyHints, coldReportRules],
]

/** Every table of links between records. */
export const linkTables: readonly Links[] = [parseProjects, parseGateways, parseDevices, accessPoints]
registerLinks(linkTables)

/** Every count of the rows of a list. */
export const figures: readonly Figure[] = [...Object.values(ofDashboard), gatewaysByProject, devicesByGateway]

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
  deviceVncCalls,
  protocolCalls,
  modelCalls,
  standardCalls,
  commonCalls,
  projectCalls,
  productTaskCalls,
  projectTaskCalls,
  configVersionCalls,
  selfParseCalls,
  pluginCalls,
  dataParseCalls,
  componentCalls,
  flowchartCalls,
  pictureFileCalls,
  symbolCalls,
  eventCalls,
  pointCalls,
  telemetryCalls,
  analysisCalls,
  formulaCalls,
  shiftCalls,
  overlayCalls,
  reportGroupCalls,
  alarmCalls,
  gatewayAlarmCalls,
  orderCalls,
  workCalls,
  figureCalls,
  upkeepCalls,
  patrolCalls,
  offlineCalls,
  requestCalls,
  alarmRuleCalls,
  alarmSettingCalls,
  preferenceCalls,
  organCalls,
  departmentCalls,
  dictionaryCalls,
  noticeCalls,
  fileCalls,
  messageCalls,
  wechatCalls,
  timerCalls,
  logCalls,
  trialCalls,
  exportCalls,
  historyCalls,
  reportCalls,
  reportRunCalls,
  reportLinkCalls,
  openApiCalls,
  agentCalls,
  serialCalls,
  firewallCalls,
  backupCalls,
  monitoringCalls,
  visualBoardCalls,
  mapCalls,
  sharedCalls,
  televisionCalls,
  sparePartCalls,
  knowledgeCalls,
  equipmentCalls,
  ...[...energyCalls, ...dosingCalls, ...coldCalls],
  ...settings.map(settingsCalls),
  figures.map(figureCall),
  ...linkTables.map(linkCalls),
].flatMap((group) => Object.values(group) as Call[])
