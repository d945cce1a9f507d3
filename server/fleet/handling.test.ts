import { expect, test } from 'vitest'
import { decodeAnswers, decodeUp } from './frames.ts'
import { openHandling } from './handling.ts'
import { openTargets } from './targets.ts'

const turn = () => new Promise((done) => setTimeout(done, 60))
const message = (text: string) => ({ sn: 'PUMPHOUSE1', kind: 'data' as const, session: 1, payload: Buffer.from(text) })

/** A line between a gateway process and another one, which may be cut, and what came over it. */
const opened = () => {
  const line = { isCut: false }
  const handled: string[] = []
  let answers = 0
  const handling = openHandling(
    {
      subject: (...tokens) => tokens.join('.'),
      publish: (subject, data) => {
        if (subject.endsWith('answers')) answers += decodeAnswers(data as Buffer).length
        if (subject.endsWith('again') && !line.isCut) setImmediate(() => targets.askedAgain('a'))
        return true
      },
    },
    undefined,
    async (_process, { payload }) => handled.push(payload.toString()),
  )
  const targets = openTargets({
    send: (_target, token, data) => {
      if (line.isCut) return true
      if (token === 'up') handling.take('p', decodeUp(data as Buffer))
      else handling.begins('p', Buffer.from(data))
      return true
    },
    now: () => 0,
    mostBytes: () => 1000,
  })
  targets.follow(['a'])
  const say = async (text: string) => {
    targets.ask(1, message(text)).catch(() => undefined)
    await turn()
  }
  return { line, handled, answered: () => answers, targets, say }
}

test('a message that was lost is not overtaken by later ones', async () => {
  const { line, handled, say } = opened()
  await say('1')
  line.isCut = true
  await say('2')
  await say('3')
  line.isCut = false
  await say('4')
  await turn()
  expect(handled).toEqual(['1', '2', '3', '4'])
})

test('a message that comes again because its answer was lost is answered again, and worked on once', async () => {
  const { handled, answered, targets, say } = opened()
  await say('1')
  await say('2')
  targets.askedAgain('a')
  await turn()
  expect(handled).toEqual(['1', '2'])
  expect(answered()).toBe(4)
})

test('messages that are wanted no more are not waited for', async () => {
  const { line, handled, targets, say } = opened()
  await say('1')
  line.isCut = true
  await say('2')
  targets.clear()
  line.isCut = false
  await say('3')
  await turn()
  expect(handled.at(-1)).toBe('3')
  expect(handled).not.toContain('2')
})

test('a message that is too long takes no number', async () => {
  const { handled, say } = opened()
  await say('1')
  await say('x'.repeat(2000))
  await say('2')
  expect(handled).toEqual(['1', '2'])
})
