import { findChromium } from './chromium.mjs'
import { buildConsole } from './console.mjs'
import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  if ((await buildConsole()) !== 0) throw new Error('The console could not be built; the reason stands above.')
  process.env.CHROMIUM = findChromium() ?? ''
  return runOurs('bench/run.ts')
})
