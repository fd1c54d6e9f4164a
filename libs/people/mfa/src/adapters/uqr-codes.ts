import { renderSVG } from 'uqr';
import type { QrCodes } from '../application/mfa.ports.js';

/** QR codes as SVG, with the quiet zone of four modules that ISO/IEC 18004 asks for. */
export const uqrCodes: QrCodes = { svg: (text) => renderSVG(text, { border: 4 }) };
