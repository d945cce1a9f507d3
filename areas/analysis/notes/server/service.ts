export { readOverlay } from './overlay.ts'
