import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('edge/main.ts')
})
