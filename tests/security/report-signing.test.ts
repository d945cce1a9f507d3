// Only people who signed in with their password sign reports of cold rooms: no programs, and no one with another kind of session.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { account, startProviders } from '../../main/testing/providers.ts'
import { addColdRoom } from '../cold.ts'
import { type House, password, startHouse } from '../house.ts'
import { person } from '../two-tenants.ts'

type Report = { Id: number; RecordSha256: string | null; State: number }
let house: House
let providers: Awaited<ReturnType<typeof startProviders>>
let checker: string
let slug: string
let report: Report

beforeAll(async () => {
  providers = await startProviders()
  house = await startHouse({ WECHAT_URL: providers.url, PENSTOCK_URL: 'https://console.example.com' })
  const { Id: tenant } = await house.data('POST', '/System/Enterprise', { Name: 'Works', ManagerNO: 'WorksManager', ManagerName: 'M' })
  const author = await person(house, tenant, 'author', 'Author', 'Company manager')
  checker = await person(house, tenant, 'checker', 'Checker', 'Company manager')
  const web = { WxAppId: account.webAppId, WxAppSecret: account.webSecret, WxStatus: 1 }
  await house.data('PUT', '/System/WechatConfig', { AppId: account.appId, AppSecret: account.secret, Status: 1 }, author)
  await house.data('PUT', '/System/WechatConfig/WxConfig', web, author)
  slug = (await house.data<{ Slug: string }>('GET', `/System/Enterprise?Id=${tenant}`)).Slug
  const make = (path: string, draft: object) => house.data('POST', path, draft, author)
  const { Id: project } = await make('/Project/Project', { ProjectName: 'Store' })
  const gateway = await make('/Project/Gateway', { GatewayName: 'Kit', SN: 'SIGNING00001', ProjectId: project })
  const net = await make('/Project/Protocol/NetProtocol', { ProtocolName: 'Net', GatewayId: gateway.Id, Ip: '127.0.0.1', Port: 1 })
  const device = await make('/Project/Device', { DeviceName: 'Sensors', GatewayId: gateway.Id, NetProtocolId: net.Id })
  const point = await make('/Project/DevPara', { DeviceId: device.Id, ParaName: 'Air', ParaUnitName: '°C', Address: '0' })
  const room = await addColdRoom(make, house.database.system, { name: 'Signed', project, point: point.Id, SN: 'SIGNING00001' })
  await vi.waitFor(async () => {
    report = await house.data<Report>('GET', `/ColdStorage/Report?Id=${room.coldReport}`, undefined, author)
    expect(report.RecordSha256).not.toBe(null)
  }, 60_000)
}, 180_000)
afterAll(async () => {
  await house?.close()
  await providers?.close()
})

const check = (token: string) =>
  house.call(token, 'POST', '/ColdStorage/Report/Check', { Id: report.Id, Pwd: password, RecordSha256: report.RecordSha256 })
const refused = { StatusCode: 400, Details: { Fields: { Pwd: expect.anything() } } }

/** A session of the checker that began by WeChat. */
const byWechat = async () => {
  const { Url: grant } = await house.data<{ Url: string }>('GET', '/WeChat/WeiXinGrant/GrantUrl', undefined, checker)
  const tie = new URLSearchParams({ state: new URL(grant).searchParams.get('state')!, code: 'good code' })
  expect(
    await (await fetch(`${house.origin}/api/WeChat/WeiXinGrant/Callback?${tie}`, { headers: { 'accept-language': 'en' } })).text(),
  ).toContain('is now linked')
  const { Url } = await house.data<{ Url: string }>('GET', `/WeiXin/WXCode?Slug=${slug}`)
  providers.webCode('by wechat', 'union')
  const State = new URL(Url).searchParams.get('state')!
  const given = { UserNO: '1', Pwd: '1', Code: 'by wechat', State }
  return (await house.call<{ Token: string }>(undefined, 'POST', '/Auth/Login', given)).Data!.Token
}

test('a session that began by WeChat does not sign, also as another role; one that began with the password does', async () => {
  const token = await byWechat()
  expect(await house.call(token, 'GET', `/ColdStorage/Report?Id=${report.Id}`)).toMatchObject({ StatusCode: 200 })
  expect(await check(token)).toMatchObject(refused)
  const { Token } = await house.data<{ Token: string }>('POST', '/Auth/ActAs', { RoleId: null }, token)
  expect(await check(Token)).toMatchObject(refused)
  const key = await house.data<{ Id: number; AccessKey: string; Secret: string }>('POST', '/System/Api', { ApiName: 'Signer' }, checker)
  await house.data('POST', '/System/Api/Auth', { Id: key.Id, Permissions: ['m10734', 'm10734.check'] }, checker)
  expect(await check(`${key.AccessKey}.${key.Secret}`)).toMatchObject(refused)
  expect(await check(await house.login('checker'))).toMatchObject({ StatusCode: 200, Data: { State: 1 } })
})
