import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('server/restore.ts', process.argv.slice(2), 'inherit')
})
