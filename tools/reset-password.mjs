import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('main/reset-password.ts', process.argv.slice(2), 'inherit')
})
