/** One who can be told that there is room, or none. */
type Member = { flow(): void }

/**
 * Memory that all connections of a broker share for messages that wait for their commit, in bytes. When it is used up none of them
 * reads on until half of it is free again: TCP holds the senders, and nothing has to be sent twice. Those who have been served longest
 * ago are told first.
 */
export const openRoom = (bytes: number) => {
  const members = new Set<Member>()
  let used = 0
  let isFull = false
  const turn = (full: boolean) => {
    isFull = full
    for (const member of [...members]) member.flow()
  }
  return {
    get full() {
      return isFull
    },
    join: (member: Member) => void members.add(member),
    leave: (member: Member) => void members.delete(member),
    /** It has been served: others come before it. */
    served: (member: Member) => {
      if (members.delete(member)) members.add(member)
    },
    hold: (more: number) => {
      used += more
      if (!isFull && used >= bytes) turn(true)
    },
    release: (less: number) => {
      used -= less
      if (isFull && used <= bytes / 2) turn(false)
    },
  }
}
export type Room = ReturnType<typeof openRoom>
