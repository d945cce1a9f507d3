// One tenant with two organisations: East, with a record of everything and an administrator who is narrowed to it, and West, of which he
// must see and change nothing.
import { sql } from 'kysely'
import { hashPassword } from '../server/identity/passwords.ts'
import { addRoles } from '../server/identity/setup.ts'
import { addColdRoom } from './cold.ts'
import { addDosing } from './dosing.ts'
import { addEnergy } from './energy.ts'
import { password, startHouse } from './house.ts'
import { addReading } from './maintenance.ts'
import { addPicture, addTelevision, layerLines } from './pictures.ts'
import { addReport } from './reports.ts'
import { addPointCheck, addProductTask, numberFrom, person, secret, seedTenant } from './two-tenants.ts'

/** Values of fields that are hidden from the narrowed administrator, in rows that he sees. */
export const hidden = ['HIDDENPHONE', 'HIDDENSTREET']
/** Ids of West begin here, so that they are found in any answer and row. */
export const westIds = { from: 90_000_000, to: 99_999_999 }

export const startTwoOrganisations = async () => {
  const house = await startHouse()
  const db = house.database.system
  await numberFrom(house, 70_000_000)
  const [row] = await db.rows<{ Id: number }>(sql`insert into enterprise ("Name") values ('Works') returning "Id"`)
  const EnterpriseId = row!.Id
  await addRoles(db, EnterpriseId)
  const manager = await person(house, EnterpriseId, 'manager', 'Manager', 'Company manager')
  const tenant = await seedTenant(house, EnterpriseId, manager, 'TWOTENANTS03', 'East')
  const ask = <T = { Id: number }>(method: string, path: string, body?: object, token = manager) => house.data<T>(method, path, body, token)
  const make = async (path: string, body: object, token = manager) => (await ask('POST', path, body, token)).Id
  const one = async (table: string, where = sql`true`) =>
    (
      await db.rows<{ Id: number }>(
        sql`select "Id" from ${sql.table(table)} where "EnterpriseId" = ${EnterpriseId} and ${where} order by "Id" desc limit 1`,
      )
    )[0]!.Id
  const hash = await hashPassword(password)
  const worker = async (UserNO: string, UserName: string, BelongOrganId: number, RoleIds: number[], Phone: string) => {
    const Id = await make('/System/User', { UserNO, UserName, BelongOrganId, RoleIds, Phone })
    await db.rows(sql`update "user" set "PasswordHash" = ${hash}, "MustChangePwd" = 0 where "Id" = ${Id}`)
    return Id
  }

  const { organ, project } = tenant.ids as Record<string, number>
  await ask('PUT', '/Project/Project', { Id: project, BelongOrganId: organ, Address: 'HIDDENSTREET' })
  // All rights of the tenant, and of its rows and fields a part.
  const narrow = await make('/System/Role', { RoleName: 'East administrator', RouteRole: 'admin' })
  const hide = (ModuleCode: string, field: string) =>
    make('/System/DataPermissions', { Name: `East ${ModuleCode}`, ModuleCode, DataScope: 2, HiddenFields: [field] })
  const DataPermissionIds = [await hide('user', 'Phone'), await hide('project', 'Address')]
  await ask('POST', '/System/Role/DataPermissions', { RoleId: narrow, DataScope: 2, DataPermissionIds })
  await worker('eastern', 'East administrator', organ!, [narrow], '1')
  const admin = await house.login('eastern')
  const role = await make('/System/Role', { RoleName: 'East readers' })
  await ask('POST', '/System/Role/DataPermissions', { RoleId: role, DataScope: 2, DataPermissionIds })
  const user = await worker('colleague', 'East colleague', organ!, [role], 'HIDDENPHONE')
  const apiCredential = await make('/System/Api', { ApiName: 'East own program' }, admin)
  // People who see a part of their company see their own tasks only.
  const task = (TaskName: string, ModelId: number, device: number, by: string) =>
    make('/Project/ProjectTask', { TaskName, Kind: 2, ModelId, DeviceIds: [device], PlannedTime: '2099-01-01 00:00:00' }, by)
  const projectTask = await task('East task', tenant.ids.proModel!, tenant.ids.device!, admin)
  const projectTaskRow = await one('project_task_row', sql`"TaskId" = ${projectTask}`)
  const pointCheck = await addPointCheck(db, projectTask)
  const idOf = async (UserNO: string) => (await db.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = ${UserNO}`))[0]!.Id
  const made = await addProductTask(db, EnterpriseId, { name: 'East own', project: project!, person: await idOf('eastern') })
  const east: Record<string, number> = { ...tenant.ids, user, role, apiCredential, projectTask, projectTaskRow, pointCheck, ...made }

  await numberFrom(house, westIds.from)
  const BelongOrganId = await make('/System/Organ', { OrganName: `${secret} west` })
  const scope = { DataScope: 4, OrganIds: [BelongOrganId] }
  const west: Record<string, number> = {
    organ: BelongOrganId,
    project: await make('/Project/Project', {
      ...{ ProjectName: `${secret} project`, BelongOrganId, Address: 'HIDDENSTREET west', Longitude: 2, Latitude: 41 },
    }),
    department: await make('/System/Department', { DepartmentName: `${secret} department`, BelongOrganId }),
    post: await make('/System/Post', { PostName: `${secret} post`, BelongOrganId }),
    dataPermission: await make('/System/DataPermissions', { Name: `${secret} permission`, ModuleCode: 'user', ...scope }),
    role: await make('/System/Role', { RoleName: `${secret} role` }),
  }
  await ask('POST', '/System/Role/AuthorizationMenu', { RoleId: west.role, MenuCodes: ['m101', 'm10101', 'm10433', 'm10433.add'] })
  await ask('POST', '/V3/System/Role/SetProject', { RoleId: west.role, ProjectIds: [west.project] })
  await ask('POST', '/System/Role/DataPermissions', { RoleId: west.role, ...scope })
  west.user = await worker('western', `${secret} person`, BelongOrganId, [west.role!], 'HIDDENPHONE west')
  const western = await house.login('western')
  west.apiCredential = await make('/System/Api', { ApiName: `${secret} program` }, western)
  west.gateway = await make('/Project/Gateway', { GatewayName: `${secret} gateway`, SN: 'TWOTENANTS04', ProjectId: west.project })
  // What names this gateway by its serial number.
  const sale = '/V3/System/CrossRegionSale'
  const ofSN = sql`"SN" = 'TWOTENANTS04'`
  await ask('POST', `${sale}/GatewaySN/BatchAdd`, { Items: [{ SN: 'TWOTENANTS04' }], Batch: `${secret} batch` })
  west.gatewaySn = await one('gateway_sn', ofSN)
  await ask('POST', `${sale}/SN_Agent_Region`, { SNs: ['TWOTENANTS04'], AgentId: tenant.ids.agent })
  west.snAgent = await one('sn_agent', ofSN)
  west.snAgentLog = await one('sn_agent_log', ofSN)
  west.gatewayPosition = await make(`${sale}/SN_Position`, { SN: 'TWOTENANTS04', AreaCode: '110000', Address: `${secret} street` })
  const ofGateway = { GatewayId: west.gateway }
  west.netProtocol = await make('/Project/Protocol/NetProtocol', {
    ...ofGateway,
    ProtocolName: `${secret} channel`,
    Ip: '127.0.0.1',
    Port: 1,
  })
  west.serialProtocol = await make('/Project/Protocol/SerialProtocol', { ...ofGateway, ProtocolName: `${secret} line`, SerialPort: 'COM1' })
  west.gatewayPara = await make('/Project/GatewayPara', { ...ofGateway, ParaCode: 'BufferSize', ParaValue: '321' })
  west.device = await make('/Project/Device', { ...ofGateway, DeviceName: `${secret} device`, NetProtocolId: west.netProtocol })
  // The name that generated requests send: no refusal may say that it is in use there.
  await make('/Project/Device', { ...ofGateway, DeviceName: 'x', NetProtocolId: west.netProtocol })
  west.projectTask = await task(`${secret} task`, tenant.ids.proModel!, west.device, manager)
  west.projectTaskRow = await one('project_task_row', sql`"TaskId" = ${west.projectTask}`)
  west.pointCheck = await addPointCheck(db, west.projectTask!)
  Object.assign(west, await addProductTask(db, EnterpriseId, { name: secret, project: west.project!, person: await idOf('manager') }))
  west.deviceVnc = await make('/Project/DeviceVnc', {
    ...{ VncName: `${secret} panel`, DeviceId: west.device, Host: `${secret}.example`, Password: 'pin' },
  })
  west.point = await make('/Project/DevPara', { DeviceId: west.device, ParaName: `${secret} point`, Address: '0', AlarmHigh: 8 })
  west.flowchart = await addPicture((path, body) => ask('POST', path, body), {
    name: `${secret} picture`,
    project: west.project!,
    point: west.point!,
  })
  const widget = { Id: 'w1', Kind: 'value', X: 0, Y: 0, W: 4, H: 3, Points: [west.point] }
  const Content = { Version: 1, Range: '1h', Variables: [], Widgets: [widget] }
  west.visualBoard = await make('/blade-visual/visual', { Title: `${secret} board`, ProjectId: west.project, Content })
  west.mapLayer = await make('/System/Map/Layer', { LayerName: `${secret} layer`, ProjectId: west.project, Lines: layerLines })
  west.share = await make('/Project/Ddt/Share', { ShareName: `${secret} link`, Kind: 1, FlowchartId: west.flowchart, Hours: 24 })
  west.television = await addTelevision((path, body) => ask('POST', path, body), {
    name: `${secret} television`,
    project: west.project!,
  }).then(({ Id }) => Id)
  const Times = [{ Name: `${secret} shift`, Start: '06:00', End: '14:00' }]
  west.shiftPlan = await make('/Project/ShiftPlan', {
    ProjectId: west.project,
    PlanName: `${secret} plan of shifts`,
    ValidFrom: '2026-01-01',
    Times,
  })
  const formula = { FormulaName: `${secret} formula`, ProjectId: west.project, Expression: `2 * #${west.point}` }
  west.formulaPoint = await make('/DataCenter/FormulaPoint', formula)
  west.chartNote = await make('/DataCenter/ChartNote', { ParaId: west.point, Time: '2026-01-31 12:34:56', Text: `${secret} note` })
  const report = { name: secret, EnterpriseId, point: west.point!, project: west.project! }
  Object.assign(west, await addReport((path, body) => ask('POST', path, body) as Promise<{ Id: number }>, db, report))
  const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 8, AlarmParams: [{ ParaId: west.point }] }
  const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [above] }] }
  west.alarmRule = await make('/Alarm/AlarmRule', { RuleName: `${secret} rule`, RuleConfigure })
  const hook = { HookName: `${secret} incidents`, Url: 'https://incidents.example/hook', Enabled: 0, ProjectId: west.project }
  west.alarmWebhook = await make('/Alarm/AlarmWebhook', hook)
  west.mtnMaintenanceOrder = await make('/Maintenance/MtnMaintenanceOrder', { Title: `${secret} order`, ProjectId: west.project })
  west.mtnUpKeepPlan = await make('/Maintenance/MtnUpKeepPlan', {
    PlanName: `${secret} upkeep`,
    ProjectId: west.project,
    StartDate: '2030-01-01',
  })
  const times = { PlanTime: '2030-01-01 08:00:00', DueTime: '2030-01-02 08:00:00' }
  west.mtnUpKeepOrder = await make('/Maintenance/MtnUpKeepOrder', { Title: `${secret} upkeep`, ProjectId: west.project, ...times })
  west.mtnCheckPlan = await make('/Maintenance/MtnCheckPlan', {
    PlanName: `${secret} patrol`,
    ProjectId: west.project,
    StartDate: '2030-01-01',
  })
  west.mtnCheckOrder = await make('/Maintenance/MtnCheckOrder', { Title: `${secret} patrol`, ProjectId: west.project, ...times })
  const access = { AccessName: `${secret} access`, Url: 'https://others.example/in', Enabled: 0, ProjectId: west.project }
  west.thirdPartyAccess = await make('/Project/ThirdPartyAccess', access)
  await db.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "Devices", "Points", "Label")
    values (${EnterpriseId}, ${west.gateway}, 1, 'none', 60, 1, 1, ${`${secret} version`})`)
  west.configVersion = await one('config_version', sql`"GatewayId" = ${west.gateway}`)
  await db.rows(sql`
    insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
    values (${EnterpriseId}, ${west.gateway}, 'of west', 3, 2, ${`${secret} event`}, now())`)
  west.gatewayEvent = await one('gateway_event', sql`"GatewayId" = ${west.gateway}`)
  await db.rows(sql`
    insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "SendTime")
    values (${EnterpriseId}, ${west.gateway}, 'write', 'of west', now())`)
  west.command = await one('command', sql`"GatewayId" = ${west.gateway}`)
  const ofBoth = await make('/Alarm/AlmGatewayTemplate', { TemplateName: 'Of both' })
  const setting = { SettingName: `${secret} setting`, AlmGatewayTemplateId: ofBoth, ProjectId: west.project }
  west.alarmSetting = await make('/Alarm/AlarmSetting', setting)
  await db.rows(sql`
    insert into alm_push_record ("EnterpriseId", "UserId", "AlmInfoId", "Method", "Target", "Title", "SendStatus", "Address", "Payload")
    values (${EnterpriseId}, ${west.user}, ${east.alarmInfo}, 'email', 'HIDDENPHONE west', ${secret}, 1, '', '{}'),
      (${EnterpriseId}, ${user}, ${east.alarmInfo}, 'sms', 'HIDDENPHONE', 'East', 1, '', '{}')`)
  west.almPushRecord = await one('alm_push_record', sql`"UserId" = ${west.user}`)
  await db.rows(sql`
    insert into notice ("EnterpriseId", "BizType", "PushTitle", "Permission", "ObjectType", "ObjectId")
    values (${EnterpriseId}, 11, ${secret}, 'm10402', 'user', ${west.user}), (${EnterpriseId}, 11, ${secret}, 'm10455', 'trialUser', ${east.trialUser})`)
  // Seen by all of the tenant: its people are named in it.
  await ask('PUT', '/System/Organ', { Id: organ, ManagerUserId: west.user })
  await ask('POST', '/Alarm/AlarmInfo/Assign', { Ids: [east.alarmInfo], UserId: west.user })
  west.mtnEquipment = await make('/Maintenance/MtnEquipment', { EquipmentName: `${secret} equipment`, ProjectId: west.project })
  west.proRfidInfo = await make('/Project/ProRFIDInfo', { CardName: `${secret} card`, CardNo: '0A0B0C0D', ProjectId: west.project })
  Object.assign(
    west,
    await addEnergy((path, body) => ask('POST', path, body), {
      name: secret,
      project: west.project!,
      code: 'E.WEST',
      tariff: 'Tariff of both',
    }),
  )
  Object.assign(west, await addDosing((path, body) => ask('POST', path, body), { name: secret, project: west.project!, code: 'D.WEST' }))
  // Tariffs hold for the whole company.
  delete west.electricityPriceStandard
  const cold = { name: secret, project: west.project!, point: west.point!, SN: 'TWOTENANTS04' }
  Object.assign(west, await addColdRoom((path, body) => ask('POST', path, body), db, cold))
  const of = { name: secret, EnterpriseId, gateway: west.gateway!, person: west.user! }
  Object.assign(west, await addReading(db, of, west.proRfidInfo, secret))
  await db.rows(sql`
    insert into pro_rfid_history ("EnterpriseId", "CardNo", "RfidId", "ReadTime", "Result", "ReaderType", "Reader", "UserId")
    select "EnterpriseId", ${secret}, ${west.proRfidInfo}, now(), 0, 2, "OrderNo", ${west.user} from mtn_check_order where "Id" = ${west.mtnCheckOrder}`)
  west.log = await one('change', sql`"Resource" = 'project' and "RecordId" = ${west.project}`)
  return { house, EnterpriseId, manager, admin, east, west, ofBoth, secret }
}
