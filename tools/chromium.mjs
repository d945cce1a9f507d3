import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

const installed = () => {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [process.env.CHROMIUM, ...folders.flatMap((f) => names.map((n) => join(f, n))), ...elsewhere].find((p) => p && existsSync(p))
}

/** Path of a Chromium for the journeys: an installed one, else Debian's when we may install it; undefined when there is none. */
export const findChromium = () => {
  const path = installed()
  if (path || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return path
  console.log('Installing Chromium from the packages of the system ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
  return installed()
}
