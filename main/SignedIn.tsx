// The console behind the sign-in: the shell with the screens of all areas.
import './screens.ts'

export { default } from '../console/shell/Console.tsx'
