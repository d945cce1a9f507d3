import { invoke } from '../../../../console/session/request.ts'
import type { Body } from '../../../../contract/call.ts'
import { type BoardData, type boardParts, visualBoardCalls } from '../contract.ts'

export type Part = (typeof boardParts)[number]
export type Asked = Omit<Body<typeof visualBoardCalls.data>, 'Parts'>
type Waiting = { parts: Set<Part>; body: Asked; answer: Promise<BoardData> }
const waiting = new Map<string, Waiting>()

/** Reads a part of a board. Parts requested at the same time share one call, with the range of the history. */
export const readPart = (part: Part, body: Asked): Promise<BoardData> => {
  const { Start: _, End: __, ...board } = body
  const key = JSON.stringify(board)
  const known = waiting.get(key)
  if (known) {
    known.parts.add(part)
    if (part === 'past') known.body = body
    return known.answer
  }
  const { promise, resolve } = Promise.withResolvers<BoardData>()
  const asked: Waiting = { parts: new Set([part]), body, answer: promise }
  waiting.set(key, asked)
  queueMicrotask(() => {
    waiting.delete(key)
    resolve(invoke(visualBoardCalls.data, { body: { ...asked.body, Parts: [...asked.parts] } }))
  })
  return promise
}
