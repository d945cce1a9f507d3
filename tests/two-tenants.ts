import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
// Two tenants with one record of everything each, a manager each, and a viewer who may press no button.
import { sql } from 'kysely'
import mqtt from 'mqtt'
import pg from 'pg'
import { resources } from '../areas/index.ts'
import { topic } from '../contract/gateway-protocol.ts'
import type { Resource } from '../contract/resource.ts'
import { draftOf } from '../main/testing/drafts.ts'
import type { Db } from '../server/database/db.ts'
import { hashPassword } from '../server/identity/passwords.ts'
import { addRoles } from '../server/identity/setup.ts'
import { tableName } from '../server/resource/sql.ts'
import { addColdRoom } from './cold.ts'
import { addDosing } from './dosing.ts'
import { addEnergy } from './energy.ts'
import { type House, password, startHouse, until } from './house.ts'
import { addMaintenance } from './maintenance.ts'
import { addPicture, addTelevision, layerLines } from './pictures.ts'
import { addReport } from './reports.ts'

export type Tenant = {
  EnterpriseId: number
  manager: string
  SN: string
  Key: string
  /** Id of one record of each resource. */
  ids: Record<string, number>
}

/** In every name of the tenant that must not be seen. */
export const secret = 'TOPSECRET'

export const person = async (house: House, EnterpriseId: number, account: string, UserName: string, role: string) => {
  const db = house.database.system
  const [user] = await db.rows<{ Id: number }>(
    sql`insert into "user" ("EnterpriseId", "UserNO", "UserName", "PasswordHash") values (${EnterpriseId}, ${account}, ${UserName}, ${await hashPassword(password)}) returning "Id"`,
  )
  await db.rows(
    sql`insert into user_role ("EnterpriseId", "UserId", "RoleId") select ${EnterpriseId}, ${user!.Id}, "Id" from role where "EnterpriseId" = ${EnterpriseId} and "RoleName" = ${role}`,
  )
  return house.login(account)
}

/** A product task that has ended; a running one would make projects. */
export const addProductTask = async (db: Db, enterprise: number, of: { name: string; project: number; person?: number }) => {
  const [task] = await db.rows<{ Id: number }>(sql`
    insert into product_task ("EnterpriseId", "TaskName", "TemplateProjectId", "NameRule", "Status", "UserId")
    values (${enterprise}, ${`${of.name} product task`}, ${of.project}, ${`${of.name} {SN}`}, 3, ${of.person ?? null}) returning "Id"`)
  const [row] = await db.rows<{ Id: number }>(sql`
    insert into product_task_row ("EnterpriseId", "TaskId", "SN", "ProjectName", "Status", "UserId")
    values (${enterprise}, ${task!.Id}, 'PRODUCT00001', ${`${of.name} product`}, 3, ${of.person ?? null}) returning "Id"`)
  return { productTask: task!.Id, productTaskRow: row!.Id }
}

/** A checked point of a task, with the names of the task. */
export const addPointCheck = async (db: Db, task: number) => {
  const [row] = await db.rows<{ Id: number }>(sql`
    insert into point_check ("EnterpriseId", "TaskId", "Target", "ParaName", "UserId")
    select "EnterpriseId", "Id", "TaskName", "TaskName", "UserId" from project_task where "Id" = ${task} returning "Id"`)
  return row!.Id
}

export const seedTenant = async (house: House, EnterpriseId: number, manager: string, SN: string, name: string): Promise<Tenant> => {
  const make = (path: string, draft: object) => house.data('POST', path, draft, manager)
  const project = await make('/Project/Project', { ProjectName: `${name} project`, Longitude: 2, Latitude: 41 })
  // With a minute between its heartbeats, it would be offline in the middle of the tests on a slow machine.
  const gateway = await make('/Project/Gateway', { GatewayName: `${name} gateway`, SN, ProjectId: project.Id, HeartbeatPeriod: 3600 })
  const channel = { ProtocolName: `${name} channel`, GatewayId: gateway.Id }
  const net = await make('/Project/Protocol/NetProtocol', { ...channel, Ip: '127.0.0.1', Port: 1 })
  await make('/Project/Protocol/SerialProtocol', { ...channel, ProtocolName: `${name} line`, SerialPort: 'COM1' })
  await make('/Project/GatewayPara', { GatewayId: gateway.Id, ParaCode: 'BackfillRate', ParaValue: '7' })
  const folder = await make('/ProModel/PointTempMenu', { MenuName: `${name} folder` })
  const ModelId = (await make('/ProModel/ProModel', { ModelName: `${name} model`, FolderId: folder.Id })).Id
  await make('/ProModel/ModelPara', { ModelId, ParaName: `${name} model point`, Address: '0' })
  const device = await make('/Project/Device', { DeviceName: `${name} device`, GatewayId: gateway.Id, NetProtocolId: net.Id, ModelId })
  await make('/Project/DeviceVnc', { VncName: `${name} panel`, DeviceId: device.Id, Host: 'panel.example', Password: `${name} pin` })
  const point = { DeviceId: device.Id, ParaName: `${name} point`, Address: '0', ReadWriteType: 1, AlarmHigh: 8 }
  const { Id } = await make('/Project/DevPara', point)
  const FlowchartId = await addPicture(make, { name: `${name} picture`, project: project.Id, point: Id })
  await make('/Project/Ddt/FlowChartTemplate', { TemplateName: `${name} picture template`, FlowchartId })
  const Drawing = { width: 9, height: 9, parts: [{ role: 'body', d: 'M0 0H9V9Z' }], ports: [] }
  await make('/Project/Ddt/Symbol', { SymbolName: `${name} symbol`, Drawing })
  const task = await make('/Project/ProjectTask', {
    ...{ TaskName: `${name} task`, Kind: 2, ModelId, DeviceIds: [device.Id], PlannedTime: '2099-01-01 00:00:00' },
  })
  await addPointCheck(house.database.system, task.Id)
  await make('/Product/ProProductSeries', { SeriesName: `${name} series`, TemplateProjectId: project.Id })
  await addProductTask(house.database.system, EnterpriseId, { name, project: project.Id })
  const widget = { Id: 'w1', Kind: 'value', X: 0, Y: 0, W: 4, H: 3, Points: [Id] }
  const Content = { Version: 1, Range: '1h', Variables: [{ Name: 'device', Id: device.Id }], Widgets: [widget] }
  await make('/blade-visual/visual', { Title: `${name} board`, ProjectId: project.Id, Content })
  await make('/Project/Ddt/Share', { ShareName: `${name} link`, Kind: 1, FlowchartId, Hours: 24 })
  await make('/System/Map/Layer', { LayerName: `${name} layer`, Lines: layerLines })
  await addTelevision(make, { name: `${name} television`, project: project.Id })
  const Times = [{ Name: `${name} shift`, Start: '06:00', End: '14:00' }]
  await make('/Project/ShiftPlan', { ProjectId: project.Id, PlanName: `${name} plan of shifts`, ValidFrom: '2026-01-01', Times })
  await make('/DataCenter/FormulaPoint', { FormulaName: `${name} formula`, ProjectId: project.Id, Expression: `2 * #${Id}` })
  await make('/DataCenter/ChartNote', { ParaId: Id, Time: '2026-01-31 12:34:56', Text: `${name} note` })
  const { reportRun } = await addReport(make, house.database.system, { name, EnterpriseId, point: Id, project: project.Id })
  writeFileSync(join(house.folder, 'reports', `${reportRun}.csv`), name)
  const Requests = [{ Send: '{addr} 03', Answer: '{addr} 03', Fields: [{ Key: 'flow', Type: 'u16', At: 2 }] }]
  await make('/Protocol/Custom', { CustomName: `${name} protocol`, Frame: { By: 'silence' }, Requests })
  await make('/Protocol/DataParse', { ParseName: `${name} parser`, Mapping: [{ Value: '*', Key: { From: 'name' } }] })
  await make('/Protocol/NetworkComponents', { ComponentName: `${name} sender`, Language: 1, ProjectId: project.Id })
  await make('/Project/ThirdPartyAccess', {
    AccessName: `${name} access`,
    Url: 'https://others.example/in',
    Enabled: 0,
    ProjectId: project.Id,
  })
  await make('/System/Notice', { PushTitle: `${name} announcement` })
  const { Key } = await house.data<{ Key: string }>('POST', '/Project/Gateway/ResetKey', { Id: gateway.Id }, manager)
  // A command without an answer, and an alarm.
  const db = house.database.system
  await db.rows(
    sql`insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "SendTime") values (${EnterpriseId}, ${gateway.Id}, 'write', ${`of ${SN}`}, now())`,
  )
  await db.rows(sql`insert into version ("EnterpriseId", "Name") values (${EnterpriseId}, ${`${name} version`})`)
  await db.rows(
    sql`insert into timer ("EnterpriseId", "TimerName", "Method", "Cron", "Status") values (${EnterpriseId}, ${`${name} timer`}, 'cleanFiles', '0 0 0 1 1 ?', 0)`,
  )
  await db.rows(sql`
    insert into timer_log ("EnterpriseId", "TimerId", "StartTime", "Result", "Wording")
    select "EnterpriseId", "Id", now(), 1, 'removed' from timer where "EnterpriseId" = ${EnterpriseId}`)
  await db.rows(
    sql`insert into trial_user ("EnterpriseId", "TrialName", "Phone", "ExpireTime") values (${EnterpriseId}, ${`${name} visitor`}, '600', now())`,
  )
  await make('/System/DataPermissions', { Name: `${name} data permission`, ModuleCode: 'post' })
  const above = { TriggerStyle: 1, TriggerCondition: 1, OperateSymbol: 3, ParamValue: 8, AlarmParams: [{ ParaId: Id }] }
  const RuleConfigure = { LogicSymbol: 1, EnableType: 0, RuleList: [{ LogicSymbol: 1, Conditions: [above] }] }
  const plan = await make('/Alarm/AlarmPlan', { PlanName: `${name} plan` })
  await make('/Alarm/Alarmcode', { Code: `${name} code`, Name: `${name} fault`, AlmPlanId: plan.Id })
  await make('/Alarm/AlarmRule', { RuleName: `${name} rule`, RuleConfigure })
  const ofGateways = await make('/Alarm/AlmGatewayTemplate', { TemplateName: `${name} gateway alarms` })
  await make('/Alarm/AlarmSetting', { SettingName: `${name} setting`, AlmGatewayTemplateId: ofGateways.Id })
  await make('/Alarm/AlmTemplate', { TemplateName: `${name} alarm template`, RuleConfigure })
  await db.rows(sql`
    insert into config_version ("EnterpriseId", "GatewayId", "Version", "Hash", "HeartbeatPeriod", "Devices", "Points", "Label")
    values (${EnterpriseId}, ${gateway.Id}, 1, 'none', 60, 1, 1, ${`${name} version`})`)
  await db.rows(sql`
    insert into gateway_event ("EnterpriseId", "GatewayId", "MsgId", "Type", "Level", "Text", "Time")
    values (${EnterpriseId}, ${gateway.Id}, ${`of ${SN}`}, 3, 2, ${`${name} event`}, now())`)
  const [colleague] = await db.rows<{ Id: number }>(
    sql`select "Id" from "user" where "EnterpriseId" = ${EnterpriseId} order by "Id" limit 1`,
  )
  await addMaintenance(make, db, { name, EnterpriseId, ModelId, project: project.Id, gateway: gateway.Id, person: colleague!.Id })
  await addEnergy(make, { name, project: project.Id, code: `E.${SN}` })
  await addDosing(make, { name, project: project.Id, code: `D.${SN}` })
  await addColdRoom(make, house.database.system, { name, project: project.Id, point: Id, SN })
  await make('/Energy/Info/Factor', { EnergyType: 1, From: '2026-01-01', Kgce: 0.1229, Kgco2e: 0.5 })
  const Shifts = [{ Start: '06:00', End: '14:00', Users: [colleague!.Id] }]
  await make('/Alarm/AlarmRoster', { RosterName: `${name} roster`, TimeZone: 'UTC', Shifts })
  const AlarmPush = { PushUsers: [colleague!.Id], PushMethods: [{ Method: 1 }] }
  await make('/Maintenance/MtnAlmTemplate', { TemplateName: `${name} orders`, AlarmPush })
  await make('/Maintenance/MtnMaintenanceOrder', {
    Title: `${name} order`,
    FaultDesc: name,
    ProjectId: project.Id,
    AssignUserId: colleague!.Id,
  })
  await make('/Maintenance/MtnUpKeepPlan', { PlanName: `${name} upkeep`, ProjectId: project.Id, StartDate: '2030-01-01', Remark: name })
  const times = { PlanTime: '2030-01-01 08:00:00', DueTime: '2030-01-02 08:00:00' }
  await make('/Maintenance/MtnUpKeepOrder', { Title: `${name} upkeep`, ProjectId: project.Id, AssignUserId: colleague!.Id, ...times })
  await make('/Maintenance/MtnCheckPlan', { PlanName: `${name} patrol`, ProjectId: project.Id, StartDate: '2030-01-01', Remark: name })
  await make('/Maintenance/MtnCheckOrder', { Title: `${name} patrol`, ProjectId: project.Id, AssignUserId: colleague!.Id, ...times })
  await make('/Alarm/AlarmWebhook', { HookName: `${name} incidents`, Url: 'https://incidents.example/hook', Enabled: 0 })
  const organ = await make('/System/Organ', { OrganName: `${name} organisation` })
  await make('/System/Department', { DepartmentName: `${name} department`, BelongOrganId: organ.Id })
  await make('/System/Post', { PostName: `${name} post`, BelongOrganId: organ.Id })
  await make('/Alarm/AlmWechatTemplate', { TemplateName: `${name} WeChat`, TemplateId: 'T' })
  const mail = await make('/Alarm/AlmEmailTemplate', { TemplateName: `${name} mail`, Title: `${name} title`, Content: name })
  await make('/Alarm/AlmSmsTemplate', { TemplateName: `${name} SMS`, TemplateId: 'T' })
  await make('/System/WechatConfig/DD', { Name: `${name} robot`, AccessToken: `${name} token` })
  await make('/System/Api', { ApiName: `${name} program` })
  const agent = await make('/V3/System/CrossRegionSale/Agent', { AgentName: `${name} agent` })
  await make('/V3/System/CrossRegionSale/SN_Agent_Region', { SNs: [`9${SN}`], AgentId: agent.Id })
  await make('/V3/System/CrossRegionSale/GatewaySN/BatchAdd', { Items: [{ SN: `8${SN}`, Code: 'SEEDED22' }] })
  await make('/V3/System/CrossRegionSale/SN_Position', { SN: `9${SN}`, AreaCode: '110000' })
  // A message that failed immediately, because no mail server is set.
  await house.data('PUT', '/System/User/Account', { Email: 'somebody@example.com', Pwd: password }, manager)
  await make('/Alarm/AlmEmailTemplate/ShareMsgTemplate', { Id: mail.Id, title: name })
  await make('/System/Region', { RegionName: `${name} region` })
  await make('/Project/CommonPara', { ParaName: `${name} hours`, Address: '900' })
  await make('/Project/StandardPara', { Code: `of_${EnterpriseId}`, NameEn: `${name} parameter` })
  await until('the point to be known to ingest', () => house.registry.get(Id))
  const client = await connectGateway(house, { SN, Key })
  await client.publishAsync(topic(SN, 'up', 'data'), reading(device.Id, Id, 9), { qos: 1 })
  const ids: Tenant['ids'] = {}
  const firstOf = async (r: Resource) => {
    const of = sql`select "Id" from ${sql.table(tableName(r))} where "EnterpriseId" = ${EnterpriseId} order by "Id" limit 1`
    return (await db.rows<{ Id: number }>(of as never))[0]?.Id
  }
  for (const r of resources) {
    // Plain entities get drafts generated from their contract.
    if (r.columns && !(await firstOf(r))) {
      const id = async (to: Resource) => (await firstOf(to)) ?? 0
      await make(r.path, await draftOf(r, { id, person: colleague!.Id }, { [r.title]: `${name} ${r.name}` }))
    }
    ids[r.name] = await until(`a record of ${r.name}; make one in seedTenant of tests/two-tenants.ts`, () => firstOf(r))
  }
  // A file of theirs.
  await make('/Project/ImportExportTask', { Resource: 'project', Format: 'csv' })
  ids.importExportTask = await until('an export to be done', async () => {
    const done = sql<{ Id: number }>`select "Id" from import_export_task where "EnterpriseId" = ${EnterpriseId} and "Status" = 2`
    return (await db.rows(done))[0]?.Id
  })
  const [role] = await db.rows<{ Id: number }>(sql`select "Id" from role where "EnterpriseId" = ${EnterpriseId} order by "Id" limit 1`)
  ids.role ??= role!.Id
  // One tree for all.
  ids.menu = 101
  const [entry] = await db.rows<{ Id: number }>(sql`select "Id" from change where "EnterpriseId" = ${EnterpriseId} order by "Id" limit 1`)
  ids.log = entry!.Id
  await client.endAsync(true)
  return { EnterpriseId, manager, SN, Key, ids }
}

export const reading = (D: number, point: number, value: number, kind: 'data' | 'history' = 'data') =>
  JSON.stringify({
    MsgId: crypto.randomUUID(),
    Ts: Date.now(),
    Data: { Items: [{ D, T: Date.now(), V: { [point]: value } }], ...(kind === 'history' ? { Backfill: 1 } : {}) },
  })

export const connectGateway = async (house: House, { SN, Key }: { SN: string; Key: string }) => {
  const login = { clientId: SN, username: SN, password: Key, reconnectPeriod: 0 }
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, login)
  client.on('error', () => undefined)
  return client
}

/** Ids that are found again in any answer, different ones for each resource. */
export const numberFrom = async (house: House, first: number) => {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  for (const [i, name] of ['enterprise', 'import_export_task', ...resources.map(tableName)].entries())
    await client.query(`select setval(pg_get_serial_sequence($1, 'Id'), $2)`, [`"${name}"`, first + i * 10_000])
  await client.end()
}

/** Ours is what must stay unseen and untouched; theirs looks for it. */
export const startTwoTenants = async () => {
  const house = await startHouse()
  const tenant = async (name: string, SN: string, firstId: number) => {
    await numberFrom(house, firstId)
    const [row] = await house.database.system.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${name}) returning "Id"`)
    await addRoles(house.database.system, row!.Id)
    return seedTenant(house, row!.Id, await person(house, row!.Id, `manager${SN}`, `${name} manager`, 'Company manager'), SN, name)
  }
  const ours = await tenant(secret, 'TWOTENANTS01', 70_000_000)
  const theirs = await tenant('Strangers', 'TWOTENANTS02', 80_000_000)
  const viewer = await person(house, ours.EnterpriseId, 'viewer', `${secret} viewer`, 'Viewer')
  // What gateways have said is written half a second later.
  await new Promise((done) => setTimeout(done, 1200))
  return { house, ours, theirs, viewer }
}

/** Every row of a tenant, table by table, as one text each. Sessions come and go with who looks. */
export const rowsOf = async (house: House, EnterpriseId: number) => {
  const db = house.database.system
  const tables = await db.rows<{ name: string }>(
    sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'EnterpriseId' and table_name <> 'session' order by 1`,
  )
  const rows = await db.all(
    tables.map(
      ({ name }) =>
        sql<{ text: string }>`select t::text as text from ${sql.table(name)} t where "EnterpriseId" = ${EnterpriseId} order by 1`,
    ),
  )
  return Object.fromEntries(tables.map(({ name }, i) => [name, rows[i]!.map((row) => row.text).join('\n')]))
}
