import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('main/restore.ts', process.argv.slice(2), 'inherit')
})
