import type { Kind } from '../contract.ts'

/** The page of each kind of link. */
const pages: Readonly<Record<Kind, string>> = { 1: '/draw', 2: '/drag', 3: '/map', 4: '/projectManagement/monitor' }
export const shareAddress = (kind: Kind, token: string) => `${location.origin}${pages[kind]}?share=${token}`
