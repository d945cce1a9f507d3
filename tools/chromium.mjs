import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe', 'msedge.exe']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The same engine without a window around each page, which costs more than many a page of ours. */
const windowless = 'chromium-headless-shell'

const installed = (first) => {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const named = [...first, ...names].flatMap((n) => folders.map((f) => join(f, n)))
  return [process.env.CHROMIUM, ...named, ...elsewhere].find((p) => p && existsSync(p))
}

/**
 * Path of a Chromium, one without windows if there is one and that is enough: an installed one, else Debian's when we may install it;
 * undefined when there is none.
 */
export const findChromium = ({ isWindowless = false } = {}) => {
  const first = isWindowless ? [windowless] : []
  const path = installed(first)
  if (path || process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return path
  console.log('Installing Chromium from the packages of the system ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  apt('update')
  // Ubuntu and older systems have only the whole one.
  for (const name of [...first, 'chromium']) if (apt('install', '-y', '--no-install-recommends', name).status === 0) break
  return installed(first)
}
