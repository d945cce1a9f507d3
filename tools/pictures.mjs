// npm run pictures: takes the README's pictures from a fresh Penstock with the simulated plant.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { buildConsole } from './console.mjs'
import { install, main, newNode, root } from './node.mjs'

const folder = join(root, 'docs/pictures')
const password = 'a river runs through it'
/** Size limit per picture in bytes, so that the README loads quickly. */
const largest = 200_000
/** Minutes to wait for the plant's history and its devices. */
const patience = 6
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

const until = async (what, ask) => {
  for (const end = Date.now() + patience * 60_000; Date.now() < end; await pause(1000)) {
    const answer = await ask()
    if (answer) return answer
  }
  throw new Error(`Waited ${patience} minutes in vain for ${what}.`)
}

/** Starts a server with an empty data folder and default settings. */
const startServer = async (data) => {
  const others = Object.entries(process.env).filter(([name]) => !/^PENSTOCK_|_URL$/.test(name))
  const env = {
    ...Object.fromEntries(others),
    LC_ALL: 'en_US.UTF-8',
    PENSTOCK_DATA: data,
    PENSTOCK_PORT: '0',
    PENSTOCK_MQTT_PORT: '0',
    PENSTOCK_ADMIN_PASSWORD: password,
    PENSTOCK_LOG: 'error',
    // A month is enough for every picture.
    PENSTOCK_DEMO_HISTORY: '30',
  }
  const server = spawn(newNode(), [join(root, 'main/server.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  server.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
  const stop = async () => {
    if (server.exitCode !== null) return
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  const [, origin] = await until('the server', () => {
    if (server.exitCode !== null) throw new Error(`The server did not start.\n${printed}`)
    return /ready:\s+(http\S+)/.exec(printed)
  })
  return { origin, stop, isWritten: () => /History +written/.test(printed) }
}

/** Calls the API directly, as `admin`. */
const openApi = async (origin) => {
  let token
  const call = async (method, path, body) => {
    const headers = { 'content-type': 'application/json', 'accept-language': 'en', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${origin}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const { Data, Errors } = await answer.json()
    if (Errors) throw new Error(`${path}: ${JSON.stringify(Errors)}`)
    return Data
  }
  token = (await call('POST', '/Auth/Login', { UserNO: 'admin', Pwd: password })).Token
  return call
}

/** The latest cleared alarm of a measured value, for a complete curve. */
const alarmToShow = async (call) => {
  const { Items } = await call('GET', '/Alarm/AlarmInfo/List?PageIndex=1&PageSize=100')
  return Items.find((alarm) => alarm.ParaId && alarm.RecoverTime) ?? Items.find((alarm) => alarm.ParaId)
}

const openBrowser = async (origin) => {
  const { chromium } = await import('playwright-core')
  const executablePath = findChromium({ isWindowless: true })
  if (!executablePath) throw new Error('There is no Chromium here: install one, or name it in CHROMIUM.')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Madrid',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  // The help opens automatically for accounts that are new to this browser.
  await context.addInitScript(() => localStorage.setItem('penstock.loginHistory', '["admin"]'))
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${origin}/login`)
  await page.locator('#UserNO').fill('admin')
  await page.locator('#Pwd').fill(password)
  await page.locator('button[type=submit]').click()
  await page.locator('.pane:visible h1').first().waitFor()
  return { page, close: () => browser.close() }
}

/** Opens a URL, waits for its content and some live values, and saves a picture. */
const take = async (page, name, address, seen) => {
  await page.goto(address)
  await page.locator(seen).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.ant-spin-spinning, .ant-skeleton-active'))
  await page.evaluate(() => document.fonts.ready)
  await pause(8000)
  await page.mouse.move(720, 899)
  const path = join(folder, `${name}.png`)
  const { default: sharp } = await import('sharp')
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 8 })
    .toFile(path)
  const { size } = statSync(path)
  console.log(`  docs/pictures/${name}.png   ${Math.round(size / 1000)} kB`)
  if (size > largest) throw new Error(`${name}.png is larger than ${largest / 1000} kB.`)
}

main(async () => {
  await install()
  if ((await buildConsole()) !== 0) throw new Error('The console could not be built; the reason is above.')
  mkdirSync(folder, { recursive: true })
  const data = mkdtempSync(join(tmpdir(), 'penstock-pictures-'))
  const undo = [() => rmSync(data, { recursive: true, force: true })]
  try {
    const server = await startServer(data)
    undo.push(server.stop)
    const call = await openApi(server.origin)
    await until('the history of the plant', server.isWritten)
    const alarm = await until('an alarm', () => alarmToShow(call))
    const browser = await openBrowser(server.origin)
    undo.push(browser.close)
    const { origin } = server
    await take(browser.page, 'home', `${origin}/`, '.pane:visible h1')
    await take(
      browser.page,
      'alarm',
      `${origin}/alarmManagement/alarmInfo?view=history&alarm=${alarm.Id}`,
      '.alarm-details canvas, .alarm-details svg',
    )
    await take(browser.page, 'live', `${origin}/projectManagement/realTimeData`, '.pane:visible td:visible')
    return 0
  } finally {
    for (const each of undo.reverse()) await each()
  }
})
