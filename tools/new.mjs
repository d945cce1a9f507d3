// npm run new <wing>/<area>: a plain entity, in two steps (docs/contributing.md).
import { install, main, runOurs } from './node.mjs'

main(async () => {
  await install()
  return runOurs('tools/new-entity.ts', process.argv.slice(2), 'inherit')
})
