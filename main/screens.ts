// The console's areas, one line each.

import * as alarmRules from '../areas/alarms/alarm-rules/console/index.ts'
import * as alarmSettings from '../areas/alarms/alarm-settings/console/index.ts'
import { AlarmBadge } from '../areas/alarms/alarms/console/AlarmBadge.tsx'
import * as alarms from '../areas/alarms/alarms/console/index.ts'
import * as events from '../areas/alarms/events/console/index.ts'
import * as charts from '../areas/analysis/charts/console/index.ts'
import * as dataAnalysis from '../areas/analysis/data-analysis/console/index.ts'
import * as formulas from '../areas/analysis/formulas/console/index.ts'
import * as home from '../areas/analysis/home/console/index.ts'
import * as notes from '../areas/analysis/notes/console/index.ts'
import * as reportGroups from '../areas/analysis/report-groups/console/index.ts'
import * as reportSchedules from '../areas/analysis/report-schedules/console/index.ts'
import * as screenMonitor from '../areas/analysis/screen-monitor/console/index.ts'
import * as shifts from '../areas/analysis/shifts/console/index.ts'
import * as telemetry from '../areas/analysis/telemetry/console/index.ts'
import * as coldExcursions from '../areas/cold-storage/excursions/console/index.ts'
import * as coldFigures from '../areas/cold-storage/figures/console/index.ts'
import * as coldReports from '../areas/cold-storage/reports/console/index.ts'
import * as coldRooms from '../areas/cold-storage/rooms/console/index.ts'
import * as channels from '../areas/configuration/channels/console/index.ts'
import * as commonPoints from '../areas/configuration/common-points/console/index.ts'
import * as dataParse from '../areas/configuration/data-parse/console/index.ts'
import * as deviceVnc from '../areas/configuration/device-vnc/console/index.ts'
import * as devices from '../areas/configuration/devices/console/index.ts'
import * as gateways from '../areas/configuration/gateways/console/index.ts'
import * as models from '../areas/configuration/models/console/index.ts'
import * as networkComponents from '../areas/configuration/network-components/console/index.ts'
import * as plugins from '../areas/configuration/plugins/console/index.ts'
import * as points from '../areas/configuration/points/console/index.ts'
import * as productTasks from '../areas/configuration/product-tasks/console/index.ts'
import * as projects from '../areas/configuration/projects/console/index.ts'
import * as selfParse from '../areas/configuration/self-parse/console/index.ts'
import * as standardPoints from '../areas/configuration/standard-points/console/index.ts'
import * as tasks from '../areas/configuration/tasks/console/index.ts'
import * as thirdPartyAccess from '../areas/configuration/third-party-access/console/index.ts'
import * as chemicalLedger from '../areas/dosing/chemical-ledger/console/index.ts'
import * as chemicals from '../areas/dosing/chemicals/console/index.ts'
import * as dosing from '../areas/dosing/consumption/console/index.ts'
import * as analytics from '../areas/energy/analytics/console/index.ts'
import * as bills from '../areas/energy/bills/console/index.ts'
import * as circuits from '../areas/energy/circuits/console/index.ts'
import * as energyConsumption from '../areas/energy/consumption/console/index.ts'
import * as manualReadings from '../areas/energy/manual-readings/console/index.ts'
import * as predictiveModels from '../areas/energy/predictive-models/console/index.ts'
import * as tariffs from '../areas/energy/tariffs/console/index.ts'
import { resources } from '../areas/index.ts'
import * as cards from '../areas/maintenance/cards/console/index.ts'
import * as equipment from '../areas/maintenance/equipment/console/index.ts'
import * as knowledgeBase from '../areas/maintenance/knowledge-base/console/index.ts'
import * as maintenanceOrders from '../areas/maintenance/orders/console/index.ts'
import * as patrols from '../areas/maintenance/patrols/console/index.ts'
import * as spareParts from '../areas/maintenance/spare-parts/console/index.ts'
import * as upkeep from '../areas/maintenance/upkeep/console/index.ts'
import * as agents from '../areas/people/agents/console/index.ts'
import * as dataPermissions from '../areas/people/data-permissions/console/index.ts'
import * as enterprises from '../areas/people/enterprises/console/index.ts'
import { TenantSelect } from '../areas/people/enterprises/console/TenantSelect.tsx'
import * as menus from '../areas/people/menus/console/index.ts'
import * as organs from '../areas/people/organs/console/index.ts'
import * as posts from '../areas/people/posts/console/index.ts'
import * as roles from '../areas/people/roles/console/index.ts'
import * as serials from '../areas/people/serials/console/index.ts'
import * as session from '../areas/people/session/console/index.ts'
import * as trialUsers from '../areas/people/trial-users/console/index.ts'
import * as users from '../areas/people/users/console/index.ts'
import * as boards from '../areas/pictures/boards/console/index.ts'
import * as flowchartTemplates from '../areas/pictures/flowchart-templates/console/index.ts'
import * as flowcharts from '../areas/pictures/flowcharts/console/index.ts'
import * as maps from '../areas/pictures/maps/console/index.ts'
import * as shares from '../areas/pictures/shares/console/index.ts'
import * as televisions from '../areas/pictures/televisions/console/index.ts'
import * as backup from '../areas/system/backup/console/index.ts'
import * as dictionaries from '../areas/system/dictionaries/console/index.ts'
import * as firewall from '../areas/system/firewall/console/index.ts'
import * as logs from '../areas/system/logs/console/index.ts'
import * as messageTemplates from '../areas/system/message-templates/console/index.ts'
import * as monitoring from '../areas/system/monitoring/console/index.ts'
import * as notices from '../areas/system/notices/console/index.ts'
import * as openApi from '../areas/system/open-api/console/index.ts'
import * as timers from '../areas/system/timers/console/index.ts'
import * as wechat from '../areas/system/wechat/console/index.ts'
import { parts, plainScreens } from '../console/kernel/plainScreens.ts'
import { lazyScreen } from '../console/shell/lazyScreen.tsx'
import { registerScreens } from '../console/shell/screens.ts'
import { topBarParts } from '../console/shell/topBarParts.ts'

registerScreens([
  { screens: plainScreens(resources) },
  alarmRules,
  alarmSettings,
  alarms,
  maintenanceOrders,
  patrols,
  upkeep,
  events,
  charts,
  dataAnalysis,
  selfParse,
  plugins,
  dataParse,
  networkComponents,
  thirdPartyAccess,
  home,
  reportGroups,
  reportSchedules,
  shifts,
  formulas,
  notes,
  screenMonitor,
  telemetry,
  boards,
  maps,
  shares,
  televisions,
  devices,
  deviceVnc,
  gateways,
  models,
  standardPoints,
  tasks,
  channels,
  commonPoints,
  points,
  productTasks,
  projects,
  agents,
  serials,
  dataPermissions,
  enterprises,
  menus,
  organs,
  posts,
  roles,
  session,
  trialUsers,
  users,
  backup,
  dictionaries,
  firewall,
  logs,
  messageTemplates,
  monitoring,
  notices,
  openApi,
  timers,
  wechat,
  cards,
  equipment,
  knowledgeBase,
  spareParts,
  chemicals,
  chemicalLedger,
  dosing,
  circuits,
  manualReadings,
  tariffs,
  analytics,
  predictiveModels,
  bills,
  energyConsumption,
  coldRooms,
  coldExcursions,
  coldFigures,
  coldReports,
  flowcharts,
  flowchartTemplates,
])
parts.TenantSelect = TenantSelect
topBarParts.AlarmBadge = AlarmBadge
topBarParts.NoticeBell = lazyScreen(
  async () => ({ default: (await import('../areas/system/notices/console/NoticeBell.tsx')).NoticeBell }),
  null,
)
topBarParts.AlarmWarning = lazyScreen(
  async () => ({ default: (await import('../areas/system/notices/console/AlarmWarning.tsx')).AlarmWarning }),
  null,
)
