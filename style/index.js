import './base.css';
import './promptBox.css';
