import type { Screens } from '../../app/screens.ts'

export const screens: Screens = { '/': () => import('./Home.tsx') }
