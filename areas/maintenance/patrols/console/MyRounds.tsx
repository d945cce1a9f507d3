import type { ReactNode } from 'react'
import { MyPlanned } from '../../upkeep/console/index.ts'
import { Route } from './Route.tsx'
import { rounds } from './rounds.ts'

const MyRounds = ({ due }: { due: (time: string) => ReactNode }) => (
  <MyPlanned of={rounds} due={due} above={(order) => <Route order={order as never} />} />
)
export default MyRounds
