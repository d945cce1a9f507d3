import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('main/kit/run.ts')
})
