import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../main/testing/freePort.ts'
import { account, startProviders } from '../../main/testing/providers.ts'
import { openFrontDoor, password } from '../front-door.ts'
import { browserPath, expectAccessible, expectFits, openBrowser, startPenstock, why } from './browser.ts'

describe.skipIf(!browserPath)(`WeChat${why}`, () => {
  let providers: Awaited<ReturnType<typeof startProviders>>
  let penstock: Awaited<ReturnType<typeof startPenstock>>
  beforeAll(async () => {
    providers = await startProviders()
    // WeChat sends people back to the configured address only.
    const port = await freePort()
    const address = { PENSTOCK_PORT: String(port), PENSTOCK_URL: `http://127.0.0.1:${port}` }
    penstock = await startPenstock({ PENSTOCK_DEMO: 'off', PENSTOCK_ADMIN_PASSWORD: password, WECHAT_URL: providers.url, ...address })
  })
  afterAll(async () => {
    await penstock?.close()
    await providers?.close()
  })

  it('signs in by it who tied his account, from the login page, and he lands where he wanted', async () => {
    const { page, problems, close } = await openBrowser(penstock.origin, { width: 390, height: 844 })
    try {
      const door = await openFrontDoor(penstock.origin)
      const wechat = page.getByRole('button', { name: 'Sign in with WeChat' })
      await page.goto(`${penstock.origin}/login`)
      await page.locator('#UserNO').waitFor()
      expect(await wechat.count()).toBe(0)
      await door.data('PUT', '/System/WechatConfig/WxConfig', { WxAppId: account.webAppId, WxAppSecret: account.webSecret, WxStatus: 1 })
      await door.data('PUT', '/System/WechatConfig', { AppId: account.appId, AppSecret: account.secret, Status: 1 })
      const { Url } = await door.data<{ Url: string }>('GET', '/WeChat/WeiXinGrant/GrantUrl')
      const tied = new URLSearchParams({ code: 'good code', state: new URL(Url).searchParams.get('state')! })
      expect(await (await fetch(`${penstock.origin}/api/WeChat/WeiXinGrant/Callback?${tied}`)).text()).toContain('微信已绑定')

      // WeChat's page, where a person reads a code with his phone, sends him back.
      await page.route('https://open.weixin.qq.com/**', (route) => {
        const asked = new URL(route.request().url()).searchParams
        const back = new URLSearchParams({ code: providers.webCode('from the phone', 'union'), state: asked.get('state')! })
        return route.fulfill({ status: 302, headers: { location: `${asked.get('redirect_uri')}?${back}` } })
      })
      await page.goto(`${penstock.origin}/login?redirect=/systemManagement/personal/info`)
      await wechat.waitFor()
      await expectFits(page)
      await expectAccessible(page)
      await wechat.click()
      await page.waitForURL(/personal\/info/)
      await page.locator('.pane:visible').getByRole('heading', { level: 1 }).waitFor()
      // An answer that this tab did not request signs no one in.
      await page.goto(`${penstock.origin}/healthz`)
      await page.evaluate(() => localStorage.clear())
      await page.goto(`${penstock.origin}/auth-redirect?code=${providers.webCode('slipped in', 'union')}&state=1.2.3.x`)
      await page.getByText('start again from the sign-in page').waitFor()
      expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toBeNull()
      expect(problems).toEqual([expect.stringContaining('asks outside: https://open.weixin.qq.com/connect/qrconnect')])
    } finally {
      await close()
    }
  })
})
