// The menu tree and, with it, every permission: a menu's code lets its screen be seen and its data be read,
// `<code>.<button>` lets the button be pressed. Titles are words at `menu.<code>`, buttons at `button.<name>`.

export type Menu = {
  code: string
  /** Relative to the parent unless it starts with a slash. Absolute on the wire (RoutingAddress). */
  path: string
  icon?: string
  /** Hidden menus have a route but no place in the sidebar (ruling 22). */
  hidden?: boolean
  buttons?: readonly string[]
  children?: readonly Menu[]
  /** Open to every user, whatever his roles (ruling 20). */
  open?: boolean
  /** Route roles of the specification (section 6): everything holds admin. */
  editor?: boolean
  /** Only for administrators of the platform (ruling 34): no role of a tenant can hold it. */
  platform?: boolean
  /** Closed in the sidebar until somebody opens it. */
  folded?: boolean
  /** Shown only to companies that sell gateways through agents. */
  sales?: boolean
}

export const crud = ['add', 'edit', 'remove'] as const

/** Home and five groups. New areas add entries, not groups. Moving an entry does not change its URL. */
export const menus: readonly Menu[] = [
  { code: 'm100', path: '/', icon: 'home', editor: true },
  {
    code: 'm102',
    path: '/alarmManagement',
    icon: 'dashboard',
    editor: true,
    children: [
      { code: 'm10108', path: '/projectManagement/realTimeData', icon: 'dashboard', editor: true },
      { code: 'm10125', path: '/projectManagement/pictures', icon: 'project', buttons: ['operate'], editor: true },
      { code: 'm10311', path: '/visualizationCenter/map', icon: 'global', editor: true },
      { code: 'm10312', path: '/visualizationCenter/mapLayers', hidden: true, buttons: crud, editor: true },
      { code: 'm10201', path: 'alarmInfo', icon: 'alert', buttons: ['handle', 'acknowledge', 'shelve', 'assign'], editor: true },
      { code: 'm10207', path: 'gatewayalarmInfo' },
      { code: 'm10214', path: 'coldStorageAlarm', buttons: ['dispose'], editor: true },
      { code: 'm10202', path: 'alarmRules', buttons: crud },
      { code: 'm10203', path: 'rules', hidden: true },
      { code: 'm10208', path: 'alarmInfoMax', hidden: true, editor: true },
      { code: 'm10211', path: 'alarmUserSetting', hidden: true, editor: true, open: true },
      { code: 'm10213', path: 'userSetting', hidden: true, buttons: ['edit'] },
      { code: 'm10421', path: '/systemManagement/layout/NoticeList', editor: true, open: true },
      {
        code: 'm107',
        path: '/energyManagement',
        icon: 'lineChart',
        folded: true,
        editor: true,
        children: [
          { code: 'm10701', path: 'energyOverView', buttons: ['cost'], editor: true },
          { code: 'm10703', path: 'energyReport', buttons: ['export', 'close'], editor: true },
          { code: 'm10705', path: '/energyLineManagement/energyOverView', editor: true },
          { code: 'm10706', path: '/energyLineManagement/energyCompare', editor: true },
          { code: 'm10708', path: '/powerManagement/electricityConsumption', editor: true },
          { code: 'm10710', path: '/powerManagement/energySaving', buttons: ['accept'], editor: true },
          { code: 'm10709', path: '/powerManagement/priceCorrelation', editor: true },
          { code: 'm10715', path: 'forecastingTools', editor: true },
          { code: 'm10716', path: 'powerForecast', buttons: ['train', 'publish', 'remove'], editor: true },
          { code: 'm10717', path: 'motorFailure', editor: true },
          { code: 'm10718', path: 'bearingFailure', editor: true },
          { code: 'm10702', path: 'energyCircuit', buttons: crud, editor: true },
          { code: 'm10704', path: 'energyAccount', hidden: true, buttons: [...crud, 'import'], editor: true },
          { code: 'm10707', path: '/powerManagement/electricityPrice', buttons: [...crud, 'price'], editor: true },
          { code: 'm10712', path: 'bills', buttons: [...crud, 'cost'], editor: true },
          { code: 'm10721', path: '/drugManagement/medicineOverView', buttons: ['cost'], editor: true },
          { code: 'm10722', path: '/drugManagement/drugRecord', buttons: [...crud, 'stock'], editor: true },
          { code: 'm10723', path: '/drugManagement/drugReport', buttons: ['export'], editor: true },
          { code: 'm10724', path: '/drugManagement/drugAccount', hidden: true, buttons: [...crud, 'import'], editor: true },
          { code: 'm10725', path: '/drugManagement/deliveries', hidden: true, buttons: ['add', 'edit', 'stock'], editor: true },
          { code: 'm10731', path: '/powerManagement/coldRooms', buttons: [...crud, 'bind', 'compose'], editor: true },
          { code: 'm10733', path: '/powerManagement/coldStorageReport', buttons: ['edit'], editor: true },
          { code: 'm10734', path: '/powerManagement/coldReports', buttons: ['add', 'edit', 'remove', 'check', 'approve'], editor: true },
          { code: 'm10735', path: '/powerManagement/coldReportProof', hidden: true, editor: true },
          { code: 'm10732', path: '/powerManagement/combination', hidden: true, editor: true },
        ],
      },
    ],
  },
  {
    code: 'm103',
    path: '/dataAnalysis',
    icon: 'lineChart',
    children: [
      { code: 'm10301', path: 'realTimeData', icon: 'lineChart' },
      { code: 'm10303', path: 'dataQuery', buttons: ['export'] },
      { code: 'm10309', path: 'computeDataQuery' },
      { code: 'm10304', path: 'groupRealTimeData' },
      { code: 'm10305', path: 'deviceRecord' },
      { code: 'm10306', path: 'comparativeStatistics' },
      { code: 'm10307', path: 'deviceState' },
      { code: 'm10327', path: 'singleDevice' },
      { code: 'm10318', path: 'linkAnalysis' },
      { code: 'm10321', path: 'statisticalCharts' },
      { code: 'm10319', path: 'charts' },
      { code: 'm10320', path: 'chartsSetting', hidden: true, buttons: crud },
      { code: 'm10322', path: 'doorStatistics' },
      { code: 'm10323', path: 'temperatureHumidity' },
      { code: 'm10325', path: 'deviceBattery' },
      { code: 'm10324', path: 'alarmStatistics' },
      { code: 'm10326', path: 'overview' },
      { code: 'm10328', path: 'dataStatus' },
      { code: 'm10317', path: 'reportRuns', buttons: ['remove', 'remake', 'release'] },
      { code: 'm10315', path: 'reportTemplates', hidden: true, buttons: crud },
      { code: 'm10316', path: 'reportSchedules', hidden: true, buttons: [...crud, 'enable', 'run'] },
      { code: 'm10308', path: 'group', hidden: true, buttons: crud },
      { code: 'm10313', path: 'formulas', hidden: true, buttons: crud },
      { code: 'm10314', path: 'notes', hidden: true, buttons: crud },
      { code: 'm10310', path: '/visualizationCenter/visualizationCenter', icon: 'dashboard', buttons: crud },
      { code: 'm10204', path: '/alarmManagement/alramAnalyse' },
      { code: 'm10302', path: 'gatewayEvent' },
      { code: 'm10329', path: 'drugAccount', hidden: true },
    ],
  },
  {
    code: 'm101',
    path: '/projectManagement',
    icon: 'gateway',
    editor: true,
    children: [
      { code: 'm10101', path: 'projectConfig', buttons: crud, editor: true },
      {
        code: 'm10102',
        path: 'gatewayManagement',
        buttons: [...crud, 'push', 'resetKey', 'command', 'resetConfig', 'bind', 'unbind', 'replace'],
        editor: true,
      },
      { code: 'm10103', path: 'deviceManagement', buttons: crud, editor: true },
      { code: 'm10104', path: 'pointManagement', hidden: true, buttons: [...crud, 'import', 'export', 'write'], editor: true },
      { code: 'm10114', path: 'pointGatewayList', hidden: true, editor: true },
      { code: 'm10115', path: 'pointList', hidden: true, editor: true },
      { code: 'm10105', path: 'gatewayPreView', hidden: true, editor: true },
      { code: 'm10106', path: 'setProtocolPro', hidden: true, buttons: [...crud, 'browse', 'trace', 'trust'], editor: true },
      { code: 'm10107', path: 'devicePointList', hidden: true, editor: true },
      { code: 'm10109', path: 'gatewayEvent', hidden: true, editor: true },
      { code: 'm10110', path: 'pointTempManagement', hidden: true, buttons: [...crud, 'publish', 'apply'], editor: true },
      { code: 'm10111', path: 'modelPointList', hidden: true, buttons: crud, editor: true },
      { code: 'm10113', path: 'pointTempMemuPointList', hidden: true, editor: true },
      { code: 'm10112', path: '/systemManagement/pointTempMenu', hidden: true, buttons: crud },
      { code: 'm10120', path: 'standardParam', buttons: crud, editor: true },
      { code: 'm10121', path: 'generalParam', hidden: true, buttons: crud, editor: true },
      { code: 'm10122', path: 'yncManagement', buttons: [...crud, 'control'], editor: true },
      { code: 'm10123', path: 'screenMonitor', hidden: true },
      { code: 'm10130', path: 'configManagement', buttons: [...crud, 'publish'], editor: true },
      { code: 'm10131', path: 'configTempManagement', hidden: true, buttons: crud, editor: true },
      { code: 'm10133', path: '/systemManagement/configTempMenu', hidden: true, buttons: crud },
      { code: 'm10132', path: 'configHistory', hidden: true, editor: true },
      { code: 'm10136', path: 'shifts', hidden: true, buttons: crud, editor: true },
      { code: 'm10134', path: 'shareManagement', buttons: ['add', 'remove'] },
      { code: 'm10135', path: 'televisionManagement', buttons: crud },
      { code: 'm10501', path: '/protocolManagement/networkPlugin', buttons: [...crud, 'start', 'resetKey', 'replay'], editor: true },
      { code: 'm10502', path: '/protocolManagement/protocolPlugin', buttons: crud, editor: true },
      { code: 'm10503', path: '/protocolManagement/selfParse', buttons: [...crud, 'test'], editor: true },
      { code: 'm10504', path: '/protocolManagement/dataParse', buttons: [...crud, 'test', 'assign'], editor: true },
      { code: 'm10505', path: '/protocolManagement/assignProject', hidden: true, editor: true },
      { code: 'm10506', path: '/protocolManagement/assignGateway', hidden: true, editor: true },
      { code: 'm10507', path: '/protocolManagement/assignDevice', hidden: true, editor: true },
      { code: 'm10124', path: 'pointTaskList', buttons: [...crud, 'run'], editor: true },
      { code: 'm10210', path: '/alarmManagement/alarmTemplate', buttons: crud },
      { code: 'm10209', path: '/alarmManagement/alarmSetting', buttons: crud },
      { code: 'm10137', path: 'thirdPartyAccess', buttons: [...crud, 'resetKey'] },
    ],
  },
  {
    code: 'm106',
    path: '/maintenanceCenter',
    icon: 'tool',
    folded: true,
    children: [
      { code: 'm10601', path: 'workOrder', buttons: ['work'] },
      { code: 'm10602', path: 'repair/repairOrder', buttons: [...crud, 'dispatch', 'check', 'cancel', 'handOver'] },
      { code: 'm10603', path: 'maintain/plan', buttons: crud },
      { code: 'm10604', path: 'maintain/order', buttons: [...crud, 'cancel'] },
      { code: 'm10605', path: 'patrol/plan', buttons: crud },
      { code: 'm10606', path: 'patrol/order', buttons: [...crud, 'cancel'] },
      { code: 'm10618', path: 'calendar' },
      { code: 'm10617', path: 'figures' },
      { code: 'm10609', path: 'pushSettings', buttons: crud },
      { code: 'm10616', path: 'clocks', buttons: ['edit'] },
      { code: 'm10619', path: 'rates', buttons: crud },
      { code: 'm10230', path: '/alarmManagement/roster', buttons: crud },
      { code: 'm10205', path: '/alarmManagement/faultList', buttons: crud },
      { code: 'm10206', path: '/alarmManagement/planList', buttons: crud },
      { code: 'm10212', path: '/alarmManagement/reminderSetting', buttons: ['edit'] },
      { code: 'm10607', path: 'parts/archives', buttons: [...crud, 'stock', 'stocktake', 'cost'] },
      { code: 'm10608', path: 'parts/record' },
      { code: 'm10622', path: 'parts/differences', buttons: ['settle'] },
      { code: 'm10610', path: 'knowledgeBase', buttons: [...crud, 'publish', 'vote'] },
      { code: 'm10611', path: 'punchRecord', buttons: ['correct'] },
      { code: 'm10621', path: 'shiftDuties', hidden: true, buttons: crud },
      { code: 'm10613', path: 'equipment', buttons: crud },
      { code: 'm10620', path: 'machine', hidden: true },
      { code: 'm10612', path: 'cardManagement', hidden: true, buttons: [...crud, 'card'] },
      { code: 'm10614', path: 'parts/places', hidden: true, buttons: crud },
      { code: 'm10615', path: 'components', hidden: true },
    ],
  },
  {
    code: 'm104',
    path: '/systemManagement',
    icon: 'setting',
    folded: true,
    editor: true,
    children: [
      { code: 'm10401', path: 'personal/password', hidden: true, editor: true },
      { code: 'm10405', path: 'personal/info', hidden: true, editor: true, open: true },
      { code: 'm10407', path: 'personal/question', hidden: true, editor: true, open: true },
      { code: 'm10402', path: 'user', buttons: [...crud, 'lock', 'resetPwd', 'authorise'] },
      { code: 'm10403', path: 'role', buttons: [...crud, 'authorise'] },
      { code: 'm10417', path: 'data', buttons: crud },
      { code: 'm10406', path: 'info/enterprise', buttons: ['edit'] },
      { code: 'm10411', path: 'organization', buttons: crud },
      { code: 'm10412', path: 'department', buttons: crud },
      { code: 'm10413', path: 'position', buttons: crud },
      { code: 'm10414', path: 'region', buttons: crud },
      { code: 'm10416', path: 'dictContent', buttons: crud },
      { code: 'm10422', path: 'notice', buttons: crud },
      { code: 'm10431', path: 'messageTemplate', buttons: [...crud, 'test'] },
      { code: 'm10432', path: 'configWeChat', buttons: ['edit'] },
      { code: 'm10231', path: '/alarmManagement/webhook', buttons: [...crud, 'resetKey'] },
      { code: 'm10454', path: 'log', buttons: ['export', 'verify'] },
      { code: 'm10455', path: 'experienceLog', buttons: ['grant'] },
      { code: 'm10433', path: 'interfaceManage', hidden: true, buttons: [...crud, 'authorise', 'resetKey'] },
      {
        code: 'm140',
        path: 'platform',
        folded: true,
        platform: true,
        children: [
          { code: 'm10404', path: '/systemManagement/enterpriseManage', buttons: crud, platform: true },
          { code: 'm10408', path: '/systemManagement/tenant/manage', hidden: true, platform: true },
          { code: 'm10410', path: '/systemManagement/info/platform', buttons: ['edit'], platform: true },
          { code: 'm10418', path: '/systemManagement/menu', buttons: crud, platform: true },
          { code: 'm10415', path: '/systemManagement/dictType', buttons: crud, platform: true },
          { code: 'm10451', path: '/systemManagement/timingTask', buttons: [...crud, 'enable', 'run'], platform: true },
          { code: 'm10452', path: '/systemManagement/backup', buttons: ['backup', 'download', 'restore', 'remove'], platform: true },
          { code: 'm10453', path: '/systemManagement/monitor', buttons: ['edit'], platform: true },
          { code: 'm10435', path: '/systemManagement/firewall', buttons: ['open', 'close'], hidden: true, platform: true },
        ],
      },
      {
        code: 'm120',
        path: '/productSeries',
        folded: true,
        sales: true,
        children: [
          { code: 'm10434', path: '/systemManagement/agent', buttons: crud },
          { code: 'm12001', path: 'gatewayPosition', buttons: ['add'] },
          { code: 'm12005', path: 'gatewaySN', buttons: ['add', 'edit', 'remove'] },
          { code: 'm12004', path: 'gatewayPosition/outbound', buttons: crud },
          { code: 'm12003', path: 'gatewayPosition/history' },
          { code: 'm12002', path: 'gatewayPosition/agent' },
          { code: 'm12006', path: 'ProductSeries', buttons: crud },
          { code: 'm12007', path: 'productTaskList', buttons: ['add', 'run', 'remove'] },
        ],
      },
    ],
  },
]

/** The URL path of an entry, absolute or relative to its directory. */
export const addressOf = ({ path }: Menu, above = '') => (path.startsWith('/') ? path : `${above}/${path}`)

/** Every entry, directories included. */
export const menuList = (of: readonly Menu[] = menus): Menu[] => of.flatMap((m) => [m, ...menuList(m.children ?? [])])

/** The first entries of a short sidebar. */
export const dailyMenus: readonly string[] = ['m100', 'm10108', 'm10201', 'm10301']

const below = (m: Menu): string[] => [m.code, ...(m.buttons ?? []).map((b) => `${m.code}.${b}`), ...(m.children ?? []).flatMap(below)]

/** Screens whose records belong to a company: all except Administration. */
export const companyMenus: ReadonlySet<string> = new Set(menus.filter(({ code }) => code !== 'm104').flatMap(below))

/** Every permission there is. */
export const permissions: readonly string[] = menus.flatMap(below)

const reserved = (m: Menu): string[] => (m.platform ? below(m) : (m.children ?? []).flatMap(reserved))
const ofPlatform = new Set(menus.flatMap(reserved))

/** Those that a role of a tenant can hold. */
export const tenantPermissions: readonly string[] = permissions.filter((code) => !ofPlatform.has(code))

const openBelow = (m: Menu): string[] => [...(m.open ? [m.code] : []), ...(m.children ?? []).flatMap(openBelow)]

/** Codes that every holder of any code also has. */
export const openMenus: readonly string[] = menus.flatMap(openBelow)
